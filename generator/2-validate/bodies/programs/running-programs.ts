import type { ProgramFacts } from "./program-facts.js";

/** The first operand is a script, unless an option gives it; what a script does with its arguments is unknown. */
const INTERPRETER = { operands: ["code", "unknown"], stdin: "code" } as const;

/** The arguments of the program that it runs are those of the command. */
const WRAPPER = { operands: ["program"] } as const;

/** Shells, interpreters, and programs that run other programs. */
export const RUNNING_PROGRAMS: readonly ProgramFacts[] = [
  {
    ...INTERPRETER,
    names: "sh, bash, dash, zsh, ksh, mksh, ash, fish, csh, tcsh, rbash",
    inputOption: /^-[a-z]*s/,
    options: { unknown: "-o -O", code: "--rcfile --init-file --init-command" },
    source: "bash(1), dash(1), fish(1)",
  },
  {
    ...INTERPRETER,
    names: "cmd, powershell, pwsh",
    operands: ["code"],
    options: { code: "-Command -c -File -EncodedCommand" },
    source: "cmd /?, pwsh(1): all arguments are one line",
  },
  {
    ...INTERPRETER,
    names: "wsl",
    operands: ["code"],
    options: { code: "-e --exec" },
    readsShellWords: true,
    source: "wsl --help",
  },
  {
    ...INTERPRETER,
    names: "node, nodejs, tsx, ts-node",
    inputOption: /^-[a-zA-Z]*i/,
    options: {
      unknown: "-C --conditions --input-type --title --max-old-space-size=",
      choice: "--env-file --env-file-if-exists --experimental-config-file",
      code: "-e --eval --print -r --require --import --loader --experimental-loader --test-reporter --run",
    },
    script: "-e --eval --print",
    source: "node(1)",
  },
  {
    ...INTERPRETER,
    names: "python, pypy, py, ipython, micropython",
    inputOption: /^-[a-zA-Z]*i/,
    options: { unknown: "--check-hash-based-pycs", choice: "-W -X", code: "-c -m" },
    script: "-c -m",
    last: "-c -m",
    source: "python(1)",
  },
  {
    ...INTERPRETER,
    names: "perl",
    options: { unknown: "-C= -i=", choice: "-I", code: "-e -E -M= -m= -x= -d= -D= -F=" },
    script: "-e -E",
    source: "perlrun(1)",
  },
  {
    ...INTERPRETER,
    names: "ruby, jruby",
    options: { unknown: "-E -C -K= -i= -F=", choice: "-I", code: "-e -r -x=" },
    script: "-e",
    source: "ruby(1)",
  },
  {
    ...INTERPRETER,
    names: "java",
    hasWordOptions: true,
    options: {
      unknown: "--source -p --module-path --add-modules --add-opens --add-exports",
      code: "-jar -cp -classpath --class-path -m --module -javaagent",
    },
    script: "-jar -m --module",
    last: "-jar -m --module",
    source: "java(1)",
  },
  {
    names: "bun, deno, go, cargo",
    operands: ["subcommand"],
    options: { code: "-e --eval -p --print -r --preload", choice: "--config --manifest-path" },
    source: "bun --help, deno --help, go help, cargo(1)",
  },
  {
    names: "npm, pnpm, yarn, uv, poetry, bundle, conda",
    operands: ["subcommand"],
    source: "npm(1), pnpm help, yarn help, uv help, poetry help, bundle(1), conda help",
  },
  {
    names:
      "npm exec, npm x, pnpm exec, pnpm dlx, yarn exec, yarn dlx, uv run, uv tool, poetry run, " +
      "bundle exec, conda run, bun x, cargo run",
    operands: ["choice"],
    stdin: "choice",
    source: "npm-exec(1), pnpm exec --help, yarn dlx --help, uv help run, bundle-exec(1)",
  },
  {
    ...INTERPRETER,
    names: "bun run, deno run, deno eval, go run",
    options: {
      code: "-exec -toolexec",
      choice: "-c --config --import-map --allow-run= --allow-ffi= --allow-write= --allow-env=",
    },
    hasWordOptions: true,
    source: "bun run --help, deno run --help, go help run",
  },
  {
    ...INTERPRETER,
    names: "php, php-cgi",
    options: { unknown: "-t -S", code: "-r -B -R -E -f -F --run -d --define -c --php-ini -z" },
    script: "-r -R -F -f",
    source: "php(1)",
  },
  {
    ...INTERPRETER,
    names:
      "lua, luajit, tclsh, wish, expect, rscript, r, julia, octave, guile, elixir, erl, " +
      "escript, groovy, scala, kotlin, ghci, runghc, ocaml, swift, osascript, gnuplot, dc, m4, " +
      "sbcl, clisp, racket, gjs, coffee, jshell, dotnet, mongo, mongosh, ansible-playbook, " +
      "rake, ghc, irb, pry, iex, swipl, maxima, octave-cli, elvish, nu, xonsh",
    options: {
      code: "-e -E -f -c -l -L -r -x --eval --eval-command --expression --print --load --file --command",
    },
    script: "-e -E -f -c --eval --expression --print --file --command",
    source: "lua(1), Rscript(1), julia(1), tclsh(1), dc(1), m4(1), osascript(1)",
  },
  {
    names: "crontab",
    operands: ["choice"],
    options: { choice: "-u" },
    stdin: "code",
    source: "crontab(1): a shell runs the lines of the file",
  },
  {
    names: "at, batch",
    operands: ["unknown"],
    options: { code: "-f" },
    stdin: "code",
    source: "at(1): a shell runs the standard input",
  },
  {
    names: "vi, vim, nvim, gvim, rvim, view, vimdiff, nvimdiff, ex, emacs",
    operands: ["unknown"],
    hasWordOptions: true,
    options: {
      code: "-c -S -s -u -U -l --cmd -eval --eval --execute -l -load --load -f -funcall --funcall --script",
      choice: "-w -W -i -q -t -T --servername --remote-send --remote-expr --listen",
    },
    stdin: "code",
    readsShellWords: true,
    source: "vim(1), emacs(1): ! runs a program",
  },
  {
    names: "ed, red, bc",
    operands: ["value"],
    stdin: "code",
    source: "ed(1): ! runs a program, and is a name of a file, too; bc(1)",
  },
  {
    names: "less, more, man",
    operands: ["unknown"],
    options: { choice: "-o -O -k --lesskey-src", code: "-P --pager -H --html -p" },
    source: "less(1), man(1)",
  },
  {
    names: "gdb, lldb, strace, ltrace, perf, valgrind",
    operands: ["command"],
    options: { code: "-ex -x -o -s -S --eval-command --init-eval-command --command --source -iex" },
    stdin: "code",
    source: "gdb(1), lldb(1), strace(1)",
  },
  {
    ...WRAPPER,
    names: "env",
    options: {
      choice: "-u --unset -C --chdir --block-signal= --default-signal= --ignore-signal=",
      command: "-S --split-string",
    },
    source: "env(1)",
  },
  {
    ...WRAPPER,
    names:
      "nohup, setsid, busybox, toybox, fakeroot, setarch, catchsegv, linux32, linux64, i386, " +
      "x86_64, dbus-launch, ssh-agent, unbuffer, exec, caffeinate, command, proxychains, " +
      "proxychains4, torsocks, rlwrap, tini, dumb-init, catatonit, xvfb-run, dbus-run-session, " +
      "pkexec, doas-edit",
    source: "nohup(1), setsid(1), busybox(1), pkexec(1)",
  },
  {
    ...WRAPPER,
    names: "nice",
    options: { choice: "-n --adjustment" },
    source: "nice(1)",
  },
  {
    ...WRAPPER,
    names: "stdbuf",
    options: { choice: "-i --input -o --output -e --error" },
    source: "stdbuf(1)",
  },
  {
    ...WRAPPER,
    names: "ionice",
    options: { choice: "-c --class -n --classdata -p --pid -P --pgid -u --uid" },
    source: "ionice(1)",
  },
  {
    ...WRAPPER,
    names: "time",
    options: { choice: "-f --format -o --output" },
    source: "time(1)",
  },
  {
    ...WRAPPER,
    names: "sudo, doas",
    options: {
      choice:
        "-u --user -g --group -h --host -p --prompt -C --close-from -D --chdir -R --chroot -r --role -t --type -T --command-timeout -U --other-user -a --auth-type -c --login-class",
    },
    stdin: "code",
    source: "sudo(8), doas(1): -s runs a shell",
  },
  {
    names: "gosu, su-exec",
    operands: ["choice", "program"],
    source: "gosu(1)",
  },
  {
    names: "timeout",
    operands: ["choice", "program"],
    options: { choice: "-k --kill-after -s --signal" },
    source: "timeout(1)",
  },
  {
    names:
      "chroot, taskset, chrt, flock, setpriv, unshare, nsenter, prlimit, numactl, cpulimit, " +
      "choom, faketime, daemonize, cgexec, chpst, capsh",
    operands: ["choice", "program"],
    options: { code: "-c --command", choice: "-p -w -E --timeout --groups --userspec" },
    stdin: "choice",
    source: "chroot(1), taskset(1), chrt(1), flock(1), setpriv(1), unshare(1), nsenter(1)",
  },
  {
    names: "xargs",
    operands: ["command"],
    options: {
      choice:
        "-a --arg-file -d --delimiter -E -I -L --max-lines= -n --max-args -P --max-procs -s --max-chars --process-slot-var",
    },
    stdin: "choice",
    source: "xargs(1)",
  },
  {
    names:
      "watch, parallel, script, su, runuser, entr, sem, pdsh, clush, wslview, rsh, remsh, dsh, " +
      "pssh, parallel-ssh, hyperfine, salt, salt-call, salt-ssh",
    operands: ["code"],
    options: { code: "-c --command -n -S --sshlogin -j -w -a" },
    stdin: "choice",
    source: "watch(1), parallel(1), script(1), su(1): a shell reads the command as one line",
  },
  {
    names:
      "npx, bunx, pnpx, uvx, pipx, start-stop-daemon, firejail, bwrap, tmux, screen, xterm, " +
      "mosh, socat, open, xdg-open, start, rundll32, mshta, wine, ld.so, run-parts, sudoedit, " +
      "coproc, apply, systemd-nspawn, runcon, docker-compose, podman-compose, lxc, lxc-attach, " +
      "incus, machinectl, vagrant, heroku, fly, flyctl, multipass, distrobox, toolbox, " +
      "limactl, ctr, crictl, runc, buildah, singularity, apptainer, srun, sbatch, qsub, " +
      "mpirun",
    operands: ["choice"],
    stdin: "choice",
    source: "npx(1), tmux(1), socat(1), xdg-open(1), docker compose exec, lxc(1), srun(1)",
  },
  {
    names: "systemd-run, sshpass",
    operands: ["choice"],
    stdin: "choice",
    readsShellWords: true,
    source: "systemd-run(1), sshpass(1)",
  },
  {
    names: "adb, gcloud",
    operands: ["subcommand"],
    readsShellWords: true,
    source: "adb help, gcloud help",
  },
  {
    names: "envsubst",
    operands: ["unknown"],
    readsShellWords: true,
    source: "envsubst(1)",
  },
  {
    names: "adb shell, adb exec-out, gcloud compute",
    operands: ["choice"],
    stdin: "choice",
    readsShellWords: true,
    source: "adb help, gcloud compute ssh --help",
  },
  {
    names: "ansible",
    operands: ["unknown"],
    options: {
      code: "-a --args",
      choice: "-m --module-name -i --inventory -e --extra-vars -M --module-path",
    },
    source: "ansible(1)",
  },
];
