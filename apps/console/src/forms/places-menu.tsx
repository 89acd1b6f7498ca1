import { Check, ChevronsUpDown, Folder, FolderPlus } from 'lucide-react';
import { Button } from '../parts/button';
import { Menu, MenuItem, MenuSection, MenuSeparator } from '../parts/menu';
import { useWords } from '../words/use-words';
import { useFolders } from './folders';
import type { Ask } from './form-menu';
import { elsewhere, views } from './place';
import { viewIcons } from './places';
import { pathsOf } from './tree';
import style from './side-panel.module.css';
import type { PlaceAndWay } from './use-place';

/** On small screens, in place of the panel: the same views and folders in a menu. */
export function PlacesMenu({ place, go, ask, mayCreate, title }: PlaceAndWay & { ask: Ask; mayCreate: boolean; title: string }) {
  const say = useWords('forms');
  const paths = pathsOf(useFolders());
  const check = (isHere: boolean) => isHere && <Check size={14} aria-hidden />;
  return (
    <div className={style.small}>
      <Menu
        label={say.viewsAndFolders}
        trigger={
          <Button aria-label={`${say.viewsAndFolders}: ${title}`}>
            {title}
            <ChevronsUpDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuSection aria-label={say.views}>
          {views.map((view) => (
            <MenuItem
              key={view}
              icon={viewIcons[view]}
              onAction={() => go(elsewhere(place, { view, folder: undefined }))}
              after={check(place.view === view && place.folder === undefined)}
            >
              {say.viewNames[view]}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSeparator />
        <MenuSection title={say.folders}>
          {[
            ...paths.map(({ folder, labels }) => (
              <MenuItem
                key={folder.id}
                icon={Folder}
                onAction={() => go(elsewhere(place, { view: 'all', folder: folder.id }))}
                after={check(place.folder === folder.id)}
              >
                {labels.join(' / ')}
              </MenuItem>
            )),
            ...(mayCreate
              ? [
                  <MenuItem key="new" icon={FolderPlus} onAction={() => ask({ kind: 'new-folder', parent: undefined })}>
                    {say.newFolder}
                  </MenuItem>,
                ]
              : []),
          ]}
        </MenuSection>
      </Menu>
    </div>
  );
}
