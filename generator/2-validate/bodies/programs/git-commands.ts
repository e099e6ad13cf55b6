import type { ProgramFacts } from "./program-facts.js";

const MANUAL = "the manual pages of git 2.39";

/** Revisions and options end with the first mark; after the second one, there are paths only. */
const END = ["--end-of-options", "--"];

/** `git` and its commands. An alias, or a command that is not here, is unknown. */
export const GIT_COMMANDS: readonly ProgramFacts[] = [
  {
    names: "git",
    operands: ["subcommand"],
    options: {
      unknown: "--namespace --super-prefix",
      choice: "-C --git-dir --work-tree",
      code: "-c --exec-path= --config-env --attr-source",
    },
    source: "git(1): the configuration names programs",
  },
  {
    names:
      "git log, git show, git diff, git rev-list, git whatchanged, git reflog, git diff-tree, " +
      "git diff-index, git diff-files",
    end: END,
    operands: ["text"],
    options: {
      text: "--author --committer --grep --grep-reflog --since --until --after --before --max-age --min-age --max-count -n --skip --max-parents= --min-parents= -S -G -L --format= --pretty= --date --diff-filter= --diff-algorithm= --stat= --abbrev= -U= --unified= --branches= --tags= --remotes= --glob --exclude --encoding= --word-diff= --word-diff-regex= --inter-hunk-context= --color= --find-renames= --find-copies= --anchored= --src-prefix= --dst-prefix= --submodule=",
      unknown: "-O --skip-to= --rotate-to= -I --ignore-matching-lines",
      choice: "--output",
    },
    source: MANUAL,
  },
  {
    names: "git shortlog, git blame, git annotate",
    end: END,
    operands: ["text"],
    options: {
      text: "-L --author --committer --grep --since --until --after --before --format= --date --group= --abbrev= --ignore-rev --encoding=",
      unknown: "-S --ignore-revs-file --contents",
    },
    source: "git-shortlog(1), git-blame(1)",
  },
  {
    names: "git grep",
    end: ["--"],
    operands: ["text"],
    options: {
      text: "-e -A --after-context -B --before-context -C --context -m --max-count --max-depth --threads --color=",
      unknown: "-f",
      choice: "-O= --open-files-in-pager=",
    },
    source: "git-grep(1): -O opens what is found in a program",
  },
  {
    names:
      "git status, git ls-tree, git cat-file, git rev-parse, git add, git rm, git mv, " +
      "git reset, git restore, git describe, git merge-base, git name-rev, git show-ref, " +
      "git check-ignore, git count-objects, git stash, git cherry",
    end: END,
    operands: ["text"],
    options: {
      text: "--match --exclude --candidates --abbrev= --format= --message= --untracked-files= --porcelain= --ignored=",
      unknown: "--pathspec-from-file --source",
    },
    source: MANUAL,
  },
  {
    names: "git ls-files",
    end: END,
    operands: ["text"],
    options: {
      text: "-x --exclude --format=",
      unknown: "-X --exclude-from --exclude-per-directory",
    },
    source: "git-ls-files(1)",
  },
  {
    names: "git commit",
    end: END,
    operands: ["text"],
    options: {
      text: "-m --message --author --date --cleanup --trailer --untracked-files= -u= --gpg-sign= -S=",
      unknown:
        "-F --file -t --template --pathspec-from-file -C -c --reuse-message --reedit-message --fixup --squash",
    },
    source: "git-commit(1)",
  },
  {
    names: "git branch, git tag, git for-each-ref",
    end: END,
    operands: ["text"],
    options: {
      text: "--message --sort --points-at --contains --no-contains --merged --no-merged --format= --count= -n= --abbrev= --color= --column=",
      unknown: "-F --file -u --local-user --set-upstream-to",
    },
    source: "git-branch(1), git-tag(1), git-for-each-ref(1)",
  },
  {
    names: "git checkout, git switch",
    end: END,
    operands: ["text"],
    options: {
      text: "-b -B --create --force-create --orphan --conflict",
      unknown: "--pathspec-from-file",
    },
    source: "git-checkout(1), git-switch(1)",
  },
  {
    names: "git merge, git cherry-pick, git revert",
    end: END,
    operands: ["text"],
    options: {
      text: "-m --message --mainline --cleanup",
      unknown: "-F --file -X --strategy-option --into-name",
      choice: "-s --strategy --gpg-sign=",
    },
    source: "git-merge(1), git-cherry-pick(1), git-revert(1)",
  },
  {
    names: "git clone",
    end: END,
    operands: ["source", "text"],
    options: {
      text: "-b --branch --depth -j --jobs --shallow-since --shallow-exclude --filter",
      unknown:
        "-o --origin --server-option --reference --reference-if-able --separate-git-dir --bundle-uri",
      code: "-u --upload-pack -c --config --template",
    },
    source: "git-clone(1), gitremote-helpers(7)",
  },
  {
    names: "git fetch, git pull, git push, git ls-remote",
    end: END,
    operands: ["source", "text"],
    options: {
      text: "--depth --deepen --shallow-since --shallow-exclude --filter --sort --refmap --negotiation-tip -j --jobs",
      unknown: "-o --server-option --push-option --repo -X --strategy-option",
      choice: "-s --strategy",
      code: "--upload-pack --receive-pack --exec",
    },
    source: "git-fetch(1), git-pull(1), git-push(1), git-ls-remote(1), gitremote-helpers(7)",
  },
  {
    names:
      "git config, git bisect, git submodule, git filter-branch, git difftool, git mergetool, " +
      "git remote, git daemon, git help, git credential-store, git credential-cache, " +
      "git instaweb, git shell, git web--browse, git send-email, git upload-pack, " +
      "git receive-pack, git http-backend, git hook, git fast-import, git format-patch, " +
      "git maintenance, git remote-ext, git cvsserver, git p4, git svn",
    operands: ["choice"],
    source: "git-config(1), git-bisect(1), git-submodule(1), git-difftool(1): they name programs",
  },
  {
    names: "git rebase, git archive, git am",
    operands: ["unknown"],
    options: {
      text: "--format --prefix --onto",
      choice: "-o --output --remote -s --strategy",
      code: "-x --exec",
    },
    source: "git-rebase(1), git-archive(1), git-am(1)",
  },
];
