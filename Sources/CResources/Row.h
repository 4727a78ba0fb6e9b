// A row of the table: the file FILE, without the `../../` at the start of its path.
{&FILE[sizeof "../../" - 1],
 (const unsigned char[]) {
#embed FILE
 },
 sizeof (const unsigned char[]) {
#embed FILE
 }},
#undef FILE
