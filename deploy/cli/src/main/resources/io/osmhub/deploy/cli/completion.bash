# Completion of hub for bash. The program prints candidates and, in the last line, directives as those of Cobra do.
_hub() {
    local line=${COMP_LINE:0:COMP_POINT} words=() current directives='' candidate
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=('')
    current=${words[${#words[@]} - 1]}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        :*) directives=${candidate#:} ;;
        *) COMPREPLY+=("${candidate%%$'\t'*}") ;;
        esac
    done < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null </dev/null)
    # Bash replaces only the text after an equals sign.
    if [[ $current == *=* && $COMP_WORDBREAKS == *=* && ${#COMPREPLY[@]} -gt 0 ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*=}"}"}")
    fi
    case $directives in
    0) compopt -o default ;;
    2 | 6) compopt -o nospace ;;
    esac
}
complete -F _hub hub
