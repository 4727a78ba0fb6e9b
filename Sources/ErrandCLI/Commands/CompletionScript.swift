/// The completion script of a shell.
///
/// Each passes the words up to the cursor to the program. An answer's lines are candidates with a
/// tab and a description; the line `:files` asks for file names. Candidates are data to the shell,
/// which quotes them when it inserts one.
enum CompletionScript: String {
  case bash, zsh, fish

  /// The script.
  var text: String {
    switch self {
    case .bash: Self.bashText
    case .zsh: Self.zshText
    case .fish: Self.fishText
    }
  }

  private static let bashText = #"""
    # bash completion for errand; asks the program.
    _errand() {
      local rest=$COMP_LINE words=() word i
      rest=${rest#*"${COMP_WORDS[0]}"}
      # bash splits words at characters such as `:`, but the line shows which belong together.
      for ((i = 1; i <= COMP_CWORD; i++)); do
        if [[ $rest == [[:space:]]* || ${#words[@]} -eq 0 ]]; then
          words+=("")
          rest=${rest#"${rest%%[![:space:]]*}"}
        fi
        words[${#words[@]} - 1]+=${COMP_WORDS[i]}
        rest=${rest#"${COMP_WORDS[i]}"}
      done
      local typed=${words[${#words[@]} - 1]} quote=
      case $typed in
        \"*) quote=\" ;;
        \'*) quote=\' ;;
      esac
      local plain=()
      for word in "${words[@]}"; do
        case $word in
          \"*) word=${word#\"} word=${word%\"} word=${word//\\/} ;;
          \'*) word=${word#\'} word=${word%\'} ;;
          *) word=${word//\\/} ;;
        esac
        plain+=("$word")
      done
      # The part of the word before what bash replaces.
      local kept=
      [[ -n $quote ]] || kept=${typed%"$2"}
      local line value open=
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default
          continue
        fi
        value=${line%%$'\t'*}
        [[ $value == *[=:/] ]] && open=yes
        case $quote in
          \")
            [[ $value == *!* ]] && continue
            value=${value//\\/\\\\} value=${value//\"/\\\"} value=${value//\$/\\\$}
            value=${value//\`/\\\`}
            ;;
          \') value=${value//\'/\'\\\'\'} ;;
          *) printf -v value %q "$value" ;;
        esac
        COMPREPLY+=("${value#"$kept"}")
      done < <(command "$1" __complete "${plain[@]}" 2>/dev/null </dev/null)
      [[ -z $open ]] || compopt -o nospace
    }
    complete -F _errand errand

    """#

  private static let zshText = #"""
    #compdef errand
    # zsh completion for errand; asks the program.
    _errand() {
      local line value
      local -a values shown open openShown
      local files=
      for line in "${(@f)$(command errand __complete "${(@Q)words[2,CURRENT-1]}" \
        "${(Q)PREFIX}" 2>/dev/null </dev/null)}"; do
        case $line in
          :files) files=yes ;;
          *$'\t'*)
            value=${line%%$'\t'*}
            line=${line#*$'\t'}
            line=$value${line:+"  -- $line"}
            if [[ $value == *[=:/] ]]; then
              open+=("$value") openShown+=("$line")
            else
              values+=("$value") shown+=("$line")
            fi
            ;;
        esac
      done
      local -a how=(-l -M 'm:{a-zA-Z}={A-Za-z}')
      (( ${#open} )) && compadd $how -S '' -d openShown -a -- open
      (( ${#values} )) && compadd $how -d shown -a -- values
      if [[ -n $files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files
      fi
    }
    if [[ $funcstack[1] == _errand ]]; then _errand "$@"; else compdef _errand errand; fi

    """#

  private static let fishText = #"""
    # fish completion for errand; asks the program.
    function __errand_complete
        set -l words (commandline -opc)
        set -l word (commandline -ct | string replace -ra '^["\']|\\\\(?=.)' '')
        for line in (command errand __complete $words[2..-1] "$word" 2>/dev/null </dev/null)
            if test "$line" = :files
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$word")
            else
                printf '%s\n' "$line"
            end
        end
    end
    complete -c errand -f -a '(__errand_complete)'

    """#
}
