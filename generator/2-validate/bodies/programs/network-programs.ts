import type { ProgramFacts } from "./program-facts.js";

/** Programs that reach other computers, containers and databases, and those that convert and pack. */
export const NETWORK_PROGRAMS: readonly ProgramFacts[] = [
  {
    names: "curl",
    end: ["--"],
    operands: ["url"],
    options: {
      text: "-A --user-agent -e --referer -m --max-time --connect-timeout -r --range -X --request --retry --retry-delay --retry-max-time -u --user -U --proxy-user --limit-rate --rate --max-filesize --max-redirs -y --speed-time -Y --speed-limit -z --time-cond --data-raw --form-string --oauth2-bearer --aws-sigv4 -C --continue-at --keepalive-time --tls-max --ciphers --curves --tls13-ciphers --request-target --happy-eyeballs-timeout-ms --expect100-timeout --create-file-mode --parallel-max --mail-auth --mail-from --mail-rcpt --proto --proto-redir --proto-default",
      file: "-d --data --data-ascii --data-binary --json -H --header --proxy-header --url-query",
      upload: "--data-urlencode -F --form",
      url: "--url",
      choice:
        "-K --config --variable -o --output --output-dir -T --upload-file -D --dump-header -c --cookie-jar -E --cert --key --cacert --capath --crlfile --netrc-file --trace --trace-ascii --stderr --unix-socket --abstract-unix-socket -x --proxy --preproxy --resolve --connect-to --interface --engine --libcurl -w --write-out -Q --quote --etag-save --etag-compare --hsts --alt-svc --egd-file --random-file --pubkey --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --socks5-gssapi-service --doh-url --dns-servers --dns-interface --dns-ipv4-addr --dns-ipv6-addr --local-port --noproxy -P --ftp-port -t --telnet-option",
      unknown:
        "-b --cookie --cert-type --delegation --ftp-account --ftp-alternative-to-user --ftp-method --ftp-ssl-ccc-mode -h --help --hostpubmd5 --hostpubsha256 --key-type --krb --login-options --pass --pinnedpubkey --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser --sasl-authzid --service-name --tftp-blksize --tlsauthtype --tlspassword --tlsuser",
    },
    source: "curl(1)",
  },
  {
    names: "wget",
    end: ["--"],
    operands: ["url"],
    options: {
      text: "-t --tries -T --timeout --dns-timeout --connect-timeout --read-timeout -w --wait --waitretry -Q --quota --limit-rate -U --user-agent --referer --header --user --password --http-user --http-password --post-data --body-data --method -A --accept -R --reject --accept-regex --reject-regex -D --domains --exclude-domains -l --level --progress --retry-on-http-error --start-pos --cut-dirs --compression",
      url: "-B --base",
      choice:
        "-O --output-document -o --output-file -a --append-output -i --input-file -P --directory-prefix --config --post-file --body-file --load-cookies --save-cookies --rejected-log --certificate --private-key --ca-certificate --ca-directory --crl-file --pinnedpubkey --warc-file --warc-tempdir --warc-dedup --bind-address --default-page -X -I --include-directories --exclude-directories --local-encoding --remote-encoding --regex-type --report-speed --restrict-file-names --prefer-family --secure-protocol --certificate-type --private-key-type --ciphers --ftp-user --ftp-password --proxy-user --proxy-password --follow-tags --ignore-tags --backups= --warc-header --warc-max-size",
      code: "-e --execute --use-askpass",
    },
    source: "wget(1)",
  },
  {
    names: "http, https, xh",
    operands: ["unknown", "upload"],
    source: "http(1) of HTTPie: NAME=@FILE and NAME:=@FILE",
  },
  {
    names: "lynx, w3m, links, yt-dlp, youtube-dl, aria2c, chromium, google-chrome",
    operands: ["url"],
    options: {
      code: "--exec --exec-before-download",
      choice: "-o --output --config-location --on-download-complete --on-download-start",
    },
    source: "lynx(1), w3m(1), yt-dlp(1), aria2c(1)",
  },
  {
    names: "ssh, slogin, autossh",
    end: ["--"],
    operands: ["choice", "code"],
    options: {
      text: "-l -p",
      unknown: "-B -b -c -e -i -m -P",
      choice: "-D -E -F -I -J -L -O -Q -R -S -W -w",
      code: "-o",
    },
    stdin: "code",
    source: "ssh(1): the shell of the host reads all arguments as one line",
  },
  {
    names: "plink",
    operands: ["choice", "code"],
    options: { text: "-l -P", choice: "-load -i -m", code: "-proxycmd" },
    hasWordOptions: true,
    stdin: "code",
    readsShellWords: true,
    source: "the manual of PuTTY",
  },
  {
    names: "nc, ncat, netcat",
    operands: ["unknown"],
    options: { code: "-e -c --exec --sh-exec --lua-exec" },
    source: "nc(1), ncat(1)",
  },
  {
    names: "scp",
    end: ["--"],
    operands: ["scheme"],
    options: { text: "-P -l -c", unknown: "-i -J -X", choice: "-F -D", code: "-o -S" },
    source: "scp(1)",
  },
  {
    names: "sftp, ftp, lftp, telnet",
    operands: ["choice"],
    options: { choice: "-P -l -B -R -u -i -J -X -s -F -D -b -f", code: "-o -S -c -e" },
    stdin: "code",
    source: "sftp(1), lftp(1): ! runs a program",
  },
  {
    names: "rsync",
    end: ["--"],
    operands: ["scheme"],
    options: {
      text: "--exclude --include --bwlimit --timeout --contimeout --max-size --min-size --max-delete --chmod --chown -B --block-size --compress-level --info= --debug= --out-format --modify-window --suffix --usermap --groupmap",
      unknown:
        "--exclude-from --include-from --files-from -T --temp-dir --backup-dir --partial-dir --link-dest --copy-dest --compare-dest --port --address --sockopts --log-file-format --iconv --checksum-choice --compress-choice --protocol --checksum-seed",
      choice:
        "--log-file --password-file --config --write-batch --read-batch -f --filter -M --remote-option",
      code: "-e --rsh --rsync-path",
    },
    source: "rsync(1)",
  },
  {
    names: "tar",
    end: ["--"],
    operands: ["text"],
    hasBareOptions: true,
    options: {
      text: "--exclude --exclude-tag --exclude-tag-all --exclude-tag-under --strip-components -b --blocking-factor --owner --group --mode --mtime --sort -N --newer --newer-mtime -H --format -V --label --level --suffix --backup= --record-size -L --tape-length --warning --quoting-style --occurrence=",
      unknown:
        "-f --file -C --directory -T --files-from -X --exclude-from -g --listed-incremental -K --starting-file --transform --xform --add-file --one-top-level= --exclude-ignore --exclude-ignore-recursive --hole-detection --sparse-version --group-map --owner-map --xattrs-exclude --xattrs-include --volno-file --pax-option --index-file --no-quote-chars --quote-chars",
      code: "-I --use-compress-program --to-command --checkpoint-action --rsh-command --rmt-command -F --info-script --new-volume-script",
    },
    source: "tar(1)",
  },
  {
    names: "gzip, gunzip, zcat, bzip2, bunzip2, bzcat",
    end: ["--"],
    operands: ["text"],
    options: { text: "-S --suffix" },
    source: "gzip(1), bzip2(1)",
  },
  {
    names: "xz, unxz, xzcat",
    end: ["--"],
    operands: ["text"],
    options: {
      text: "-S --suffix -T --threads -M --memlimit -F --format -C --check",
      unknown: "--files= --files0=",
    },
    source: "xz(1)",
  },
  {
    names: "psql",
    operands: ["value"],
    options: {
      text: "-U --username -p --port -F --field-separator -R --record-separator -T --table-attr",
      value: "-d --dbname -h --host",
      unknown: "-P --pset",
      choice: "-o --output -L --log-file",
      code: "-c --command -f --file -v --set --variable",
    },
    script: "-c --command -f --file",
    stdin: "code",
    source: "psql(1): a name of a database may be a whole connection string",
  },
  {
    names: "mysql, mariadb",
    operands: ["unknown"],
    options: {
      text: "-u --user -P --port -D --database",
      unknown: "-h --host -S --socket",
      choice: "--pager --tee --defaults-file --defaults-extra-file --plugin-dir",
      code: "-e --execute --init-command",
    },
    script: "-e --execute",
    stdin: "code",
    source: "mysql(1)",
  },
  {
    names: "sqlite3, duckdb",
    operands: ["unknown", "code"],
    hasWordOptions: true,
    options: { text: "-separator -nullvalue -newline", code: "-cmd -init -c -f -s" },
    stdin: "code",
    source: "sqlite3(1): .shell runs a program",
  },
  {
    names: "ffmpeg, ffprobe, ffplay",
    operands: ["source"],
    hasWordOptions: true,
    options: {
      text: "-ss -t -to -r -s -b:v -b:a -c:v -c:a -codec -crf -preset -ar -ac -aspect -frames:v -q:v -pix_fmt -metadata -loglevel -v -threads -show_entries -select_streams -of -print_format",
      source: "-i",
      choice:
        "-f -vf -af -filter:v -filter:a -lavfi -filter_complex -filter_script -filter_complex_script -attach -progress -passlogfile -fpre -vpre -dump_attachment",
    },
    source: "ffmpeg(1), ffmpeg-protocols(1): concat: and subfile: read files; a filter does, too",
  },
  {
    names: "convert, magick, identify, mogrify, composite, montage, compare",
    operands: ["scheme"],
    hasWordOptions: true,
    options: {
      text: "-resize -quality -rotate -crop -geometry -gravity -density -depth -size -extent -background -fill -blur -level -scale -sample -thumbnail -type -colorspace -pointsize",
      file: "-annotate:2 -caption -label -comment -draw -format",
      choice: "-write -font -profile -tile -texture -mask -path",
    },
    source: "ImageMagick(1): msl:, ephemeral: and @ before a name",
  },
  {
    names: "make, bmake, remake, nmake, just",
    end: ["--"],
    operands: ["variable"],
    options: {
      text: "-j= --jobs= -l= --load-average=",
      unknown: "-C --directory -I --include-dir -o --old-file -W --what-if --assume-new",
      code: "-f --file --makefile -E --eval --justfile --shell",
    },
    source: "make(1), just(1): NAME=VALUE sets a variable, after -- too",
  },
  {
    names: "docker, podman, nerdctl",
    operands: ["subcommand"],
    options: { text: "-l --log-level", choice: "-c --context -H --host --config --tlscacert" },
    source: "docker(1)",
  },
  {
    names:
      "docker logs, podman logs, nerdctl logs, docker inspect, podman inspect, " +
      "nerdctl inspect, docker ps, podman ps, nerdctl ps, docker images, podman images, " +
      "nerdctl images, docker start, podman start, nerdctl start, docker stop, podman stop, " +
      "nerdctl stop, docker restart, podman restart, nerdctl restart, docker rm, podman rm, " +
      "nerdctl rm, docker stats, podman stats, nerdctl stats, docker port, podman port, " +
      "nerdctl port, docker diff, podman diff, nerdctl diff, docker history, podman history, " +
      "nerdctl history, docker pause, podman pause, nerdctl pause, docker unpause, " +
      "podman unpause, nerdctl unpause, docker wait, podman wait, nerdctl wait, docker kill, " +
      "podman kill, nerdctl kill",
    end: ["--"],
    operands: ["text"],
    options: { text: "--since --until --tail -n --last --filter --format --type --time --signal" },
    source: "docker-logs(1), docker-inspect(1), docker-ps(1)",
  },
  {
    names: "docker exec, podman exec, nerdctl exec",
    operands: ["choice", "program"],
    options: {
      choice: "-e --env --env-file -u --user -w --workdir --detach-keys",
    },
    source: "docker-exec(1)",
  },
  {
    names:
      "docker run, podman run, nerdctl run, docker create, podman create, nerdctl create, " +
      "docker build, podman build, nerdctl build, docker buildx, podman buildx, " +
      "nerdctl buildx, docker compose, podman compose, nerdctl compose, docker container, " +
      "podman container, nerdctl container, docker cp, podman cp, nerdctl cp, docker load, " +
      "podman load, nerdctl load, docker import, podman import, nerdctl import, docker image, " +
      "podman image, nerdctl image, docker plugin, podman plugin, nerdctl plugin, " +
      "docker stack, podman stack, nerdctl stack, docker service, podman service, " +
      "nerdctl service, docker volume, podman volume, nerdctl volume, docker context, " +
      "podman context, nerdctl context",
    operands: ["choice"],
    stdin: "choice",
    source: "docker-run(1), docker-build(1), docker-compose(1): volumes, images and programs",
  },
  {
    names: "kubectl, oc",
    operands: ["subcommand"],
    options: {
      text: "-n --namespace --request-timeout",
      choice: "--kubeconfig --context --cluster --user --as -s --server --token --cache-dir",
    },
    source: "kubectl(1)",
  },
  {
    names:
      "kubectl get, oc get, kubectl describe, oc describe, kubectl logs, oc logs, kubectl top, " +
      "oc top, kubectl explain, oc explain",
    end: ["--"],
    operands: ["text"],
    options: {
      text: "-n --namespace -l --selector --field-selector -c --container --since --since-time --tail -L --label-columns --sort-by --limit-bytes --request-timeout --api-version --chunk-size --max-log-requests",
      value: "-o --output",
      choice:
        "-f --filename --template -k --kustomize --kubeconfig --context --cluster --user --as -s --server --token --cache-dir",
    },
    source: "kubectl-get(1), kubectl-describe(1), kubectl-logs(1), kubectl-top(1)",
  },
  {
    names: "kubectl exec, oc exec",
    end: ["--"],
    operands: ["choice", "program"],
    options: { choice: "-n --namespace -c --container -f --filename --kubeconfig --context" },
    source: "kubectl-exec(1)",
  },
  {
    names:
      "kubectl apply, oc apply, kubectl create, oc create, kubectl replace, oc replace, " +
      "kubectl patch, oc patch, kubectl run, oc run, kubectl debug, oc debug, kubectl cp, " +
      "oc cp",
    operands: ["choice"],
    stdin: "choice",
    source: "kubectl-apply(1), kubectl-run(1)",
  },
];
