#compdef hub
# Completion of hub for zsh. The program prints candidates and, in the last line, directives as those of Cobra do.
_hub() {
    local line directives tab=$'\t'
    local -a names descriptions
    for line in "${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
        case $line in
        :*) directives=${line#:} ;;
        ?*)
            names+=("${line%%$tab*}")
            descriptions+=("${${line/$tab/  }}")
            ;;
        esac
    done
    case $directives in
    0) _files ;;
    2|6) compadd -S '' -l -d descriptions -a names ;;
    *) compadd -l -d descriptions -a names ;;
    esac
}
compdef _hub hub
