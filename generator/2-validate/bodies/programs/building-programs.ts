import type { ProgramFacts } from "./program-facts.js";

/** Compilers, tools that build, convert and install, and clients of databases. */
export const BUILDING_PROGRAMS: readonly ProgramFacts[] = [
  {
    names:
      "gcc, g++, cc, c++, cpp, clang, clang++, gfortran, rustc, javac, ld, gold, lld, ld.gold, " +
      "ld.bfd, ld.lld, as, nasm, kotlinc, scalac, swiftc, ghc-pkg, ocamlc, ocamlopt, tsc, " +
      "protoc, ar, nm, objdump, objcopy, ranlib",
    operands: ["unknown"],
    hasWordOptions: true,
    options: {
      choice:
        "-wrapper -o -B -specs --specs -fplugin -plugin --plugin -Xclang -Xlinker -Xpreprocessor -Xassembler -T --script -dynamic-linker --dynamic-linker -include -imacros -isystem -iquote -idirafter -load -C -processorpath --processor-path -processor -cp -classpath -d -script",
    },
    source: "gcc(1): -wrapper; ld(1): -plugin; rustc(1): -C linker; javac(1): -processorpath",
  },
  {
    names: "pandoc",
    operands: ["source"],
    options: {
      text: "-f --from -r --read -t --to -w --write --columns --tab-stop --toc-depth --wrap= --variable -V --metadata -M",
      choice:
        "-o --output -F --filter -L --lua-filter --pdf-engine --pdf-engine-opt --template --data-dir -d --defaults --extract-media --include-in-header -H -B -A --metadata-file --css -c --reference-doc --syntax-definition --abbreviations --csl --bibliography --resource-path --log",
    },
    source: "pandoc(1): filters and engines are programs",
  },
  {
    names:
      "tex, latex, pdftex, pdflatex, xelatex, lualatex, luatex, latexmk, gs, dvips, groff, " +
      "troff, asy, metapost, mpost",
    operands: ["choice"],
    stdin: "choice",
    source: "pdflatex(1), gs(1): a document is a program, with \\write18 and %pipe%",
  },
  {
    names: "zip",
    operands: ["unknown"],
    hasWordOptions: true,
    options: { code: "-TT --unzip-command", choice: "-b --temp-path -O --output-file -lf -la" },
    source: "zip(1): -TT runs a program",
  },
  {
    names: "bsdtar, cpio, pax",
    operands: ["unknown"],
    options: {
      code: "--use-compress-program --rsh-command",
      choice: "-F --file -O -T --files-from",
    },
    source: "bsdtar(1), cpio(1)",
  },
  {
    names: "openssl",
    operands: ["subcommand"],
    source: "openssl(1)",
  },
  {
    names:
      "openssl engine, openssl provider, openssl s_client, openssl s_server, openssl list, " +
      "openssl req, openssl ca, openssl ts, openssl ocsp",
    operands: ["choice"],
    source: "openssl-engine(1), openssl-req(1): an engine is a library, a configuration names them",
  },
  {
    names: "rclone",
    operands: ["choice", "scheme"],
    options: { choice: "--config --password-command --sftp-ssh" },
    source: "rclone(1): a remote such as :sftp,ssh=…: names a program",
  },
  {
    names: "gpg, gpgsm, gpgv",
    operands: ["unknown"],
    options: { choice: "-o --output --homedir --options --agent-program --dirmngr-program" },
    source: "gpg(1)",
  },
  {
    names:
      "mvn, mvnw, gradle, gradlew, ant, sbt, lein, bazel, buck, scons, waf, meson, ninja, " +
      "cmake, tox, nox, invoke, fab, task",
    operands: ["scheme"],
    options: { choice: "-f -C -I -P -E -D -S -B --file --init-script --build-file" },
    source: "mvn(1): group:artifact:goal is any plugin; gradle(1), cmake(1)",
  },
  {
    names:
      "npm install, npm i, npm add, npm ci, npm run, npm run-script, npm config, npm create, " +
      "npm init, npm link, pnpm install, pnpm i, pnpm add, pnpm ci, pnpm run, pnpm run-script, " +
      "pnpm config, pnpm create, pnpm init, pnpm link, yarn install, yarn i, yarn add, " +
      "yarn ci, yarn run, yarn run-script, yarn config, yarn create, yarn init, yarn link, " +
      "pip install, pip download, pip wheel, pip config, uv pip, uv add, gem install, " +
      "gem exec, bundle add, poetry add, composer require, composer exec, composer run-script, " +
      "conda install, conda create, cargo install, cargo add, go get, go install, go generate, " +
      "go tool, bun add, bun install, deno install, deno add, rpm, dpkg",
    operands: ["choice"],
    stdin: "choice",
    source:
      "npm-install(1), pip install --help, go help get: a package runs code as it is installed",
  },
  {
    names: "pip, gem, composer",
    operands: ["subcommand"],
    source: "pip(1), gem help, composer list",
  },
  {
    names: "go build, go test, go vet, go list",
    operands: ["unknown"],
    hasWordOptions: true,
    options: { choice: "-toolexec -exec -vettool -o -modfile -overlay -ldflags -gcflags" },
    source: "go help build, go help test",
  },
  {
    names:
      "apt, apt-get, aptitude, yum, dnf, zypper, apk, pacman, brew, port, snap, flatpak, " +
      "choco, winget, scoop, nix, nix-env, guix, emerge, easy_install",
    operands: ["choice"],
    options: { choice: "-o -c --option --config-file" },
    source: "apt-get(8), dnf(8), brew(1): -o names programs, and a package runs code",
  },
  {
    names: "helm",
    operands: ["subcommand"],
    source: "helm(1)",
  },
  {
    names:
      "helm install, helm upgrade, helm template, helm pull, helm plugin, helm repo, " +
      "helm dependency",
    operands: ["choice"],
    stdin: "choice",
    source: "helm-install(1): a chart may be any address; --post-renderer is a program",
  },
  {
    names: "redis-cli, valkey-cli",
    operands: ["subcommand"],
    options: {
      text: "-p -n -a --user --pass -r -i",
      choice: "-h -s -u --eval --rdb --functions-rdb --pipe --cacert --cert --key",
    },
    stdin: "choice",
    source: "redis-cli --help",
  },
  {
    names:
      "redis-cli eval, valkey-cli eval, redis-cli eval_ro, valkey-cli eval_ro, " +
      "redis-cli evalsha, valkey-cli evalsha, redis-cli config, valkey-cli config, " +
      "redis-cli script, valkey-cli script, redis-cli function, valkey-cli function, " +
      "redis-cli module, valkey-cli module, redis-cli debug, valkey-cli debug, redis-cli acl, " +
      "valkey-cli acl, redis-cli slaveof, valkey-cli slaveof, redis-cli replicaof, " +
      "valkey-cli replicaof, redis-cli migrate, valkey-cli migrate, redis-cli fcall, " +
      "valkey-cli fcall, redis-cli monitor, valkey-cli monitor",
    operands: ["choice"],
    source: "redis-cli --help, the commands of Redis",
  },
  {
    names:
      "cqlsh, sqlcmd, clickhouse-client, clickhouse-local, clickhouse, snowsql, influx, " +
      "sqlplus, isql, beeline, trino, presto, impala-shell, hive, usql, spark-sql, " +
      "cypher-shell, pgcli, mycli, litecli, mssql-cli, bq, cockroach",
    operands: ["value"],
    options: { code: "-e --execute -Q -q --query -execute -f --file -i -c --command" },
    script: "-e --execute -Q -q --query -execute -f --file -i -c --command",
    stdin: "code",
    source:
      "cqlsh(1), sqlcmd -?, clickhouse-client --help: statements, and !! or shell runs a program",
  },
  {
    names:
      "pg_dump, pg_dumpall, pg_restore, mysqldump, mysqladmin, mongodump, createdb, dropdb, " +
      "pg_basebackup",
    operands: ["value"],
    options: {
      text: "-U --username -p --port -t --table -n --schema",
      choice:
        "-f --file -d --dbname -h --host --defaults-file --defaults-extra-file --plugin-dir -o",
    },
    source: "pg_dump(1), mysqldump(1)",
  },
  {
    names: "mutt, neomutt, sendmail, tcpdump, tshark, snmpget",
    operands: ["unknown"],
    options: { code: "-e -z", choice: "-F -f -C -O -w -r -X -i -a" },
    source: "mutt(1): -e runs commands; tcpdump(8): -z runs a program; sendmail(8): -C",
  },
];
