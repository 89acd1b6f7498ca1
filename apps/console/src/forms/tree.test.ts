import type { FolderSummary } from '@sheaf/client';
import { pathsOf, treeOf, within } from './tree';

const folder = (id: string, parent?: string): FolderSummary => ({
  id,
  label: id.toUpperCase(),
  icon: 'folder',
  color: '',
  sort_order: 0,
  role: 'owner',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...(parent === undefined ? {} : { parent_id: parent }),
});

const folders = [folder('c', 'b'), folder('a'), folder('b', 'a'), folder('d'), folder('lost', 'gone')];

it('puts folders inside their parents, and those whose parent is missing at the top', () => {
  const shape = (nodes: ReturnType<typeof treeOf>): unknown[] => nodes.map((node) => [node.folder.id, shape(node.children)]);
  expect(shape(treeOf(folders))).toEqual([
    ['a', [['b', [['c', []]]]]],
    ['d', []],
    ['lost', []],
  ]);
});

it('names the way to each folder', () => {
  expect(pathsOf(folders).map(({ labels }) => labels.join(' / '))).toEqual(['A', 'A / B', 'A / B / C', 'D', 'LOST']);
});

it('knows where a folder cannot move: into itself and what is inside it', () => {
  expect([...within(folders, 'a')]).toEqual(['a', 'b', 'c']);
  expect([...within(folders, 'gone')]).toEqual([]);
});
