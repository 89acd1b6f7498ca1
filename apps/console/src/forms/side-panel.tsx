import { Link } from '@tanstack/react-router';
import { FileQuestion, FolderPlus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { IconButton } from '../parts/button';
import { useWords } from '../words/use-words';
import { useFolders } from './folders';
import type { Ask } from './form-menu';
import { elsewhere, searchOf, views, type Place } from './place';
import { viewIcons } from './places';
import style from './side-panel.module.css';
import type { PlaceAndWay } from './use-place';

// Trees and dragging are much code: it loads once there is a folder.
const FolderTree = lazy(() => import('./folder-tree').then(({ FolderTree: component }) => ({ default: component })));

/** At the side of the list: its views, and the folders of the workspace. */
export function SidePanel({ place, go, ask, mayCreate }: PlaceAndWay & { ask: Ask; mayCreate: boolean }) {
  const say = useWords('forms');
  const folders = useFolders();
  return (
    <div className={style.panel}>
      <nav aria-label={say.views} className={style.links}>
        {views.map((view) => (
          <PlaceLink key={view} place={place} to={{ view, folder: undefined }} icon={viewIcons[view]} label={say.viewNames[view]} />
        ))}
      </nav>
      <section aria-label={say.folders} className={style.folders}>
        <div className={style.foldersHead}>
          <h2>{say.folders}</h2>
          {mayCreate && (
            <IconButton isSmall icon={FolderPlus} label={say.newFolder} onPress={() => ask({ kind: 'new-folder', parent: undefined })} />
          )}
        </div>
        {folders.length > 0 ? (
          <>
            <Suspense>
              <FolderTree folders={folders} place={place} go={go} ask={ask} mayCreate={mayCreate} />
            </Suspense>
            <PlaceLink place={place} to={{ view: 'all', folder: 'none' }} icon={FileQuestion} label={say.unfiled} />
          </>
        ) : (
          <p className="muted">{say.noFolders}</p>
        )}
      </section>
    </div>
  );
}

interface PlaceLinkProps {
  place: Place;
  to: Pick<Place, 'view' | 'folder'>;
  icon: (typeof viewIcons)['all'];
  label: string;
}

function PlaceLink({ place, to, icon: Icon, label }: PlaceLinkProps) {
  const isHere = place.view === to.view && place.folder === to.folder;
  return (
    <Link
      to="/console/forms"
      search={searchOf(elsewhere(place, to))}
      className={style.link}
      // Not the router's idea of active: every view has the same path.
      activeProps={{}}
      aria-current={isHere ? 'page' : undefined}
      data-here={isHere || undefined}
    >
      <Icon size={16} aria-hidden />
      {label}
    </Link>
  );
}
