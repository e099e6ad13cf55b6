import { basename, dirname, join } from "node:path/posix";
import type { FileStatus, ReadableFiles } from "../6-reconcile/tree.js";
import type { FileLayer } from "./file-layer.js";

type Node = { readonly content: Uint8Array; readonly mode: number } | "folder" | "absent";

/**
 * A file layer whose changes stay in memory, on top of a layer that is only read. Read-only commands recover an
 * interrupted run in it, so that they see the same project as the next `generate`.
 */
export class OverlayFiles implements FileLayer {
  private readonly nodes = new Map<string, Node>();
  /** The names of the nodes of each folder. */
  private readonly names = new Map<string, Set<string>>();

  constructor(private readonly base: ReadableFiles) {}

  status(path: string): FileStatus | undefined {
    const node = this.nodes.get(path);
    if (node === undefined) return this.base.status(path);
    if (node === "absent") return undefined;
    if (node === "folder") return { kind: "folder", size: 0, links: 1, mode: 0o755 };
    return { kind: "file", size: node.content.length, links: 1, mode: node.mode };
  }

  read(path: string): Uint8Array {
    const node = this.nodes.get(path);
    if (node === undefined) return this.base.read(path);
    if (node === "absent") throw failure("ENOENT", "open", path);
    if (node === "folder") throw failure("EISDIR", "read", path);
    return node.content;
  }

  list(path: string): string[] {
    if (this.status(path)?.kind !== "folder") throw failure("ENOENT", "scandir", path);
    const below = this.base.status(path)?.kind === "folder" ? this.base.list(path) : [];
    const listed = new Set(below);
    for (const name of this.names.get(path) ?? []) {
      if (this.nodes.get(join(path, name)) === "absent") listed.delete(name);
      else listed.add(name);
    }
    return [...listed];
  }

  create(path: string, content: Uint8Array, mode = 0o644): void {
    this.assertFree(path, "open");
    this.setNode(path, { content: Uint8Array.from(content), mode });
  }

  rename(from: string, to: string): void {
    const status = this.status(from);
    if (status?.kind !== "file") throw failure("ENOENT", "rename", from);
    if (this.status(dirname(to))?.kind !== "folder") throw failure("ENOENT", "rename", to);
    this.setNode(to, { content: this.read(from), mode: status.mode });
    this.setNode(from, "absent");
  }

  unlink(path: string): void {
    if (this.status(path) === undefined) throw failure("ENOENT", "unlink", path);
    this.setNode(path, "absent");
  }

  makeFolder(path: string): void {
    this.assertFree(path, "mkdir");
    this.setNode(path, "folder");
  }

  removeFolder(path: string): void {
    if (this.list(path).length > 0) throw failure("ENOTEMPTY", "rmdir", path);
    this.setNode(path, "absent");
  }

  syncFile(): void {}

  syncFolder(): void {}

  assertWritable(): void {}

  private setNode(path: string, node: Node): void {
    this.nodes.set(path, node);
    const folder = dirname(path);
    const names = this.names.get(folder);
    if (names === undefined) this.names.set(folder, new Set([basename(path)]));
    else names.add(basename(path));
  }

  private assertFree(path: string, syscall: string): void {
    if (this.status(path) !== undefined) throw failure("EEXIST", syscall, path);
    if (this.status(dirname(path))?.kind !== "folder") throw failure("ENOENT", syscall, path);
  }
}

function failure(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${syscall} '${path}'`), { code, syscall, path });
}
