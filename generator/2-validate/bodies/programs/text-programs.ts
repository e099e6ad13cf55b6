import type { ProgramFacts } from "./program-facts.js";

const GNU = { end: ["--"], operands: ["text"] } as const;

/** Programs that read, print and find text and files. */
export const TEXT_PROGRAMS: readonly ProgramFacts[] = [
  {
    ...GNU,
    names:
      "cat, comm, dirname, echo, factor, groups, id, logname, nproc, printenv, printf, pwd, " +
      "readlink, realpath, rmdir, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, md5sum, " +
      "sleep, sum, tr, tsort, uname, unlink, uptime, users, wc, who, whoami",
    options: {
      text: "--output-delimiter --ignore= --relative-to --relative-base --total=",
      choice: "--files0-from",
    },
    source: "the manual pages of GNU coreutils 9.1, section 1",
  },
  {
    ...GNU,
    names: "ls, dir, vdir",
    options: {
      text: "-I --ignore -w --width -T --tabsize --block-size --hide --quoting-style --indicator-style --time-style --color= --format= --sort= --time= --hyperlink=",
    },
    source: "ls(1)",
  },
  {
    ...GNU,
    names: "head, tail",
    options: {
      text: "-n --lines -c --bytes -s --sleep-interval --pid --max-unchanged-stats --follow=",
    },
    source: "head(1), tail(1)",
  },
  {
    ...GNU,
    names: "basename, tac",
    options: { text: "-s --suffix --separator" },
    source: "basename(1), tac(1)",
  },
  {
    ...GNU,
    names: "b2sum, cksum",
    options: { text: "-a --algorithm -l --length" },
    source: "b2sum(1), cksum(1)",
  },
  {
    ...GNU,
    names: "expand, unexpand",
    options: { text: "-t --tabs" },
    source: "expand(1), unexpand(1)",
  },
  {
    ...GNU,
    names: "seq",
    options: { text: "-f --format -s --separator" },
    source: "seq(1)",
  },
  {
    ...GNU,
    names: "mkdir, mkfifo",
    options: { text: "-m --mode" },
    source: "mkdir(1), mkfifo(1)",
  },
  {
    ...GNU,
    names: "cut",
    options: {
      text: "-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter",
    },
    source: "cut(1)",
  },
  {
    ...GNU,
    names: "paste",
    options: { text: "-d --delimiters" },
    source: "paste(1)",
  },
  {
    ...GNU,
    names: "uniq",
    options: { text: "-f --skip-fields -s --skip-chars -w --check-chars --group=" },
    source: "uniq(1)",
  },
  {
    ...GNU,
    names: "fold, fmt",
    options: { text: "-w --width -p --prefix -g --goal" },
    source: "fold(1), fmt(1)",
  },
  {
    ...GNU,
    names: "join",
    options: { text: "-a -e -j -o -t -v -1 -2" },
    source: "join(1)",
  },
  {
    ...GNU,
    names: "split",
    options: {
      text: "-a --suffix-length -b --bytes -C --line-bytes -l --lines -n --number -t --separator --additional-suffix",
      code: "--filter",
    },
    source: "split(1)",
  },
  {
    ...GNU,
    names: "sort",
    options: {
      text: "-k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort= --check=",
      choice: "-o --output -T --temporary-directory --files0-from --random-source",
      code: "--compress-program",
    },
    source: "sort(1)",
  },
  {
    ...GNU,
    names: "date",
    options: {
      text: "-d --date -s --set --iso-8601= --rfc-3339 --resolution=",
      unknown: "-r --reference",
      choice: "-f --file",
    },
    source: "date(1): messages repeat the lines of the file",
  },
  {
    ...GNU,
    names: "stat",
    options: { text: "-c --format --printf --cached=" },
    source: "stat(1)",
  },
  {
    ...GNU,
    names: "du",
    options: {
      text: "-B --block-size -d --max-depth -t --threshold --exclude --time= --time-style=",
      unknown: "-X --exclude-from",
      choice: "--files0-from",
    },
    source: "du(1)",
  },
  {
    ...GNU,
    names: "df",
    options: { text: "-B --block-size -t --type -x --exclude-type --output=" },
    source: "df(1)",
  },
  {
    ...GNU,
    names: "file",
    options: {
      text: "-e --exclude --exclude-quiet -F --separator -P --parameter",
      choice: "-f --files-from -m --magic-file",
    },
    source: "file(1)",
  },
  {
    ...GNU,
    names: "cp, mv, ln",
    options: {
      text: "-S --suffix --backup= --preserve= --no-preserve --reflink= --sparse=",
      unknown: "-t --target-directory",
    },
    source: "cp(1), mv(1), ln(1)",
  },
  {
    ...GNU,
    names: "rm, chmod, chown, chgrp",
    options: { text: "--from --interactive=", unknown: "--reference" },
    source: "rm(1), chmod(1), chown(1), chgrp(1)",
  },
  {
    ...GNU,
    names: "touch",
    options: { text: "-d --date -t --time=", unknown: "-r --reference" },
    source: "touch(1)",
  },
  {
    ...GNU,
    names: "grep, egrep, fgrep",
    options: {
      text: "-e --regexp -A --after-context -B --before-context -C --context -m --max-count -d --directories -D --devices --label --binary-files --include --exclude --exclude-dir --group-separator --color= --colour=",
      unknown: "-f --file --exclude-from",
    },
    source: "grep(1)",
  },
  {
    ...GNU,
    names: "rg",
    options: {
      text: "-e --regexp -A --after-context -B --before-context -C --context -m --max-count -g --glob --iglob -t --type -T --type-not --type-add -j --threads -d --max-depth -M --max-columns -E --encoding -r --replace --max-filesize --sort --sortr --color --colors --engine --field-context-separator --field-match-separator --context-separator --dfa-size-limit --regex-size-limit --path-separator --pre-glob --hyperlink-format",
      unknown: "-f --file --ignore-file",
      choice: "--hostname-bin",
      code: "--pre",
    },
    source: "rg(1)",
  },
  {
    ...GNU,
    names: "diff",
    options: {
      text: "-I --ignore-matching-lines -U --unified -C --context -W --width -F --show-function-line -L --label -x --exclude -D --ifdef -S --starting-file --horizon-lines --tabsize --color= --palette --line-format --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format --changed-group-format --unchanged-group-format",
      unknown: "-X --exclude-from --from-file --to-file",
    },
    source: "diff(1)",
  },
  {
    ...GNU,
    names: "tree",
    options: {
      text: "-L -P -I -H -T --filelimit --charset --timefmt --sort=",
      unknown: "-o --gitfile --infofile --hintro --houtro",
    },
    source: "tree(1)",
  },
  {
    ...GNU,
    names: "jq",
    options: {
      text: "--arg:2 --argjson:2 --indent",
      unknown: "--slurpfile:2 --rawfile:2",
      choice: "-L -f --from-file --library-path",
    },
    source: "jq(1)",
  },
  {
    ...GNU,
    names: "ping, ping4, ping6",
    options: {
      text: "-c -i -w -W -s -t -l -m -M -p -Q -S -T -I -e -F -N",
    },
    source: "ping(8)",
  },
  {
    names: "ps",
    operands: ["unknown"],
    hasBareOptions: true,
    options: {
      text: "-o -O -p -q -u -U -C -G -g -s -t --format --pid --ppid --quick-pid --sort --user --User --group --Group --tty --sid --cols --columns --lines --rows --width",
    },
    source: "ps(1): an argument without a hyphen may be options, too",
  },
  {
    names: "find",
    operands: ["text"],
    hasWordOptions: true,
    options: {
      text: "-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -mtime -atime -ctime -mmin -amin -cmin -used -newer -anewer -cnewer -newermt -newerat -newerct -newerBt -samefile -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -fstype -context -printf -D",
      choice: "-fprint -fprint0 -fls -fprintf:2 -files0-from",
      command: "-exec -execdir -ok -okdir",
    },
    source: "find(1): an argument that begins with - is an expression, after -- too",
  },
  {
    ...GNU,
    names: "fd, fdfind",
    options: {
      text: "-e --extension -d --max-depth --maxdepth --min-depth --exact-depth -t --type -E --exclude -S --size -o --owner -j --threads -c --color --changed-within --changed-before --max-results --format --and --path-separator --batch-size",
      unknown: "--base-directory -C --search-path --ignore-file",
      command: "-x --exec -X --exec-batch",
    },
    source: "fd(1)",
  },
  {
    names: "awk, gawk, mawk, nawk, original-awk, goawk",
    end: ["--"],
    operands: ["code", "text"],
    options: {
      text: "-v --assign -F --field-separator",
      code: "-e --source -f --file -i --include -l --load -E --exec",
      choice: "-o= --pretty-print= -d= --dump-variables= -D= --debug= -p= --profile=",
    },
    script: "-e --source -f --file -E --exec",
    source: "gawk(1)",
  },
  {
    names: "sed",
    end: ["--"],
    operands: ["code", "text"],
    options: {
      text: "-l --line-length",
      code: "-e --expression -f --file",
    },
    script: "-e --expression -f --file",
    source: "sed(1): e and w run and write",
  },
];
