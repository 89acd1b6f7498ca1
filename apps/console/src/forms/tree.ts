import type { FolderSummary } from '@sheaf/client';

export interface FolderNode {
  folder: FolderSummary;
  children: FolderNode[];
}

/** A folder with the labels that lead to it, from the outermost one. */
export interface FolderPath {
  folder: FolderSummary;
  labels: string[];
}

/** The tree of folders. One whose parent is not there stands at the top level. */
export function treeOf(folders: readonly FolderSummary[]): FolderNode[] {
  const nodes = new Map(folders.map((folder) => [folder.id, { folder, children: [] as FolderNode[] }]));
  const roots: FolderNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.folder.parent_id === undefined ? undefined : nodes.get(node.folder.parent_id);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** All folders with their paths, each before those inside it. */
export function pathsOf(folders: readonly FolderSummary[]): FolderPath[] {
  const walk = (nodes: readonly FolderNode[], above: readonly string[]): FolderPath[] =>
    nodes.flatMap(({ folder, children }) => {
      const labels = [...above, folder.label];
      return [{ folder, labels }, ...walk(children, labels)];
    });
  return walk(treeOf(folders), []);
}

/** The folder itself and all inside it: a folder cannot move there. */
export function within(folders: readonly FolderSummary[], id: string): ReadonlySet<string> {
  const inside = (nodes: readonly FolderNode[]): string[] => nodes.flatMap(({ folder, children }) => [folder.id, ...inside(children)]);
  const find = (nodes: readonly FolderNode[]): FolderNode | undefined => {
    for (const node of nodes) {
      const found = node.folder.id === id ? node : find(node.children);
      if (found) return found;
    }
    return undefined;
  };
  const node = find(treeOf(folders));
  return new Set(node ? inside([node]) : []);
}

export const mayChangeFolder = ({ role }: FolderSummary): boolean => role === 'owner' || role === 'admin' || role === 'editor';
