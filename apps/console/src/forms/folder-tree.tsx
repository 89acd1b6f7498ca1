import { updateFolder, updateForm, type FolderSummary } from '@sheaf/client';
import { ChevronRight, Folder } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { Tree, TreeItem, TreeItemContent, type Key, type Selection } from 'react-aria-components/Tree';
import { useDragAndDrop, type DropItem, type DropTarget, type DragTypes } from 'react-aria-components/useDragAndDrop';
import { client } from '../api/client';
import { useWords } from '../words/use-words';
import { useRun } from './actions';
import { folderDragType, formDragType } from './drag-types';
import { FolderMenu } from './folder-menu';
import type { Ask } from './form-menu';
import { elsewhere } from './place';
import style from './side-panel.module.css';
import { mayChangeFolder, pathsOf, treeOf, within, type FolderNode } from './tree';
import type { PlaceAndWay } from './use-place';

interface FolderTreeProps extends PlaceAndWay {
  folders: readonly FolderSummary[];
  ask: Ask;
  mayCreate: boolean;
}

/** The folders as a tree. Folders and forms can be dragged into a folder, and folders to the space below for the top level. */
export function FolderTree({ folders, place, go, ask, mayCreate }: FolderTreeProps) {
  const say = useWords('forms');
  const dragAndDropHooks = useFolderDrop(folders);
  const [folded, setFolded] = useState<ReadonlySet<Key>>(new Set());
  const parents = folders.flatMap(({ parent_id: parent }) => (parent === undefined ? [] : [parent]));
  const select = (keys: Selection) => {
    const [folder] = keys === 'all' ? [] : keys;
    if (folder !== undefined) go(elsewhere(place, { view: 'all', folder: String(folder) }));
  };
  const item = ({ folder, children }: FolderNode) => (
    <TreeItem key={folder.id} id={folder.id} textValue={folder.label} className={style.item ?? ''}>
      <TreeItemContent>
        <span className={style.itemContent}>
          {children.length > 0 ? (
            <AriaButton slot="chevron" className={style.chevron ?? ''}>
              <ChevronRight size={14} aria-hidden />
            </AriaButton>
          ) : (
            <span className={style.chevron} />
          )}
          {mayChangeFolder(folder) ? (
            <AriaButton slot="drag" className={style.handle ?? ''}>
              <Folder size={16} aria-hidden />
            </AriaButton>
          ) : (
            <span className={style.handle}>
              <Folder size={16} aria-hidden />
            </span>
          )}
          <span className={style.itemLabel} dir="auto">
            {folder.label}
          </span>
          <FolderMenu folder={folder} ask={ask} mayCreate={mayCreate} />
        </span>
      </TreeItemContent>
      <Collection items={children.map((child) => ({ ...child, id: child.folder.id }))}>{item}</Collection>
    </TreeItem>
  );
  return (
    <Tree
      aria-label={say.folders}
      className={style.tree ?? ''}
      items={treeOf(folders).map((node) => ({ ...node, id: node.folder.id }))}
      selectionMode="single"
      selectedKeys={place.folder === undefined ? [] : [place.folder]}
      onSelectionChange={select}
      expandedKeys={parents.filter((id) => !folded.has(id))}
      onExpandedChange={(expanded) => setFolded(new Set(parents.filter((id) => !expanded.has(id))))}
      dragAndDropHooks={dragAndDropHooks}
    >
      {item}
    </Tree>
  );
}

/** An item that is dropped on a folder moves into it; a folder never into itself. */
function useFolderDrop(folders: readonly FolderSummary[]) {
  const { run } = useRun();
  const [dragged, setDragged] = useState<string>();
  const labels = new Map(pathsOf(folders).map(({ folder }) => [folder.id, folder.label]));
  const allows = (target: DropTarget, types: DragTypes) => {
    if (target.type === 'root') return types.has(folderDragType) ? 'move' : 'cancel';
    if (target.dropPosition !== 'on') return 'cancel';
    return dragged !== undefined && within(folders, dragged).has(String(target.key)) ? 'cancel' : 'move';
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [folderDragType]: String(key), 'text/plain': labels.get(String(key)) ?? '' })),
    onDragStart: ({ keys }) => setDragged([...keys].map(String)[0]),
    onDragEnd: () => setDragged(undefined),
    acceptedDragTypes: [folderDragType, formDragType],
    getDropOperation: allows,
    getAllowedDropOperations: () => ['move'],
    onRootDrop: ({ items }) => run(() => moveAll(items, null)),
    onItemDrop: ({ items, target }) => run(() => moveAll(items, String(target.key))),
  });
  return dragAndDropHooks;
}

async function moveAll(items: readonly DropItem[], folder: string | null): Promise<void> {
  for (const item of items) {
    if (item.kind !== 'text') continue;
    if (item.types.has(folderDragType)) {
      await updateFolder({ client, path: { id: await item.getText(folderDragType) }, body: { parent_id: folder } });
    } else if (item.types.has(formDragType)) {
      await updateForm({ client, path: { id: await item.getText(formDragType) }, body: { folder_id: folder } });
    }
  }
}
