# Completion of hub for fish. The program prints candidates and, in the last line, directives as those of Cobra do.
function __hub_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..] "$current" 2>/dev/null </dev/null)
    if test "$lines[-1]" = :0
        __fish_complete_path "$current"
    else
        string match -v ':*' -- $lines
    end
end
complete -c hub -e
complete -c hub -f -a '(__hub_complete)'
