import { FileText, FolderOpen, SearchX, Star, Trash2, Users, Archive } from 'lucide-react';
import { Button, ButtonLink } from '../parts/button';
import { Empty } from '../parts/states';
import { useWords } from '../words/use-words';
import type { Ask } from './form-menu';
import { elsewhere, newFormHref } from './place';
import type { PlaceAndWay } from './use-place';

interface EmptyListProps extends PlaceAndWay {
  ask: Ask;
  mayCreate: boolean;
}

/** Says why a place has no forms, and how one comes there. */
export function EmptyList({ place, go, ask, mayCreate }: EmptyListProps) {
  const say = useWords('forms');
  if (place.q !== undefined || place.status !== undefined) return <NothingFound place={place} go={go} />;
  switch (place.view) {
    case 'favorites':
      return (
        <Empty icon={Star} title={say.noFavorites}>
          {say.noFavoritesHelp}
        </Empty>
      );
    case 'shared':
      return (
        <Empty icon={Users} title={say.noShared}>
          {say.noSharedHelp}
        </Empty>
      );
    case 'archived':
      return (
        <Empty icon={Archive} title={say.noArchived}>
          {say.noArchivedHelp}
        </Empty>
      );
    case 'trash':
      return (
        <Empty icon={Trash2} title={say.noTrash}>
          {say.noTrashHelp}
        </Empty>
      );
    case 'all':
      break;
  }
  const folder = place.folder === 'none' ? undefined : place.folder;
  const newForm = mayCreate && (
    <>
      <ButtonLink look="primary" href={newFormHref(folder)}>
        {say.newForm}
      </ButtonLink>
      <Button onPress={() => ask({ kind: 'templates', folder })}>{say.chooseTemplate}</Button>
    </>
  );
  if (place.folder !== undefined) {
    return (
      <Empty icon={FolderOpen} title={say.emptyFolder} actions={newForm}>
        {place.folder === 'none' ? say.allFiled : say.emptyFolderHelp}
      </Empty>
    );
  }
  return (
    <Empty icon={FileText} title={say.noForms} actions={newForm}>
      {mayCreate ? say.noFormsHelp : say.noFormsViewerHelp}
    </Empty>
  );
}

function NothingFound({ place, go }: PlaceAndWay) {
  const say = useWords('forms');
  const isNarrow = place.folder !== undefined || place.view !== 'all';
  return (
    <Empty
      icon={SearchX}
      title={place.q === undefined ? say.nothingHere : say.nothingFound(place.q)}
      actions={
        <>
          <Button onPress={() => go({ q: undefined, status: undefined })}>{say.clearSearch}</Button>
          {isNarrow && place.q !== undefined && (
            <Button look="quiet" onPress={() => go({ ...elsewhere(place, { view: 'all', folder: undefined }), q: place.q })}>
              {say.searchEverywhere}
            </Button>
          )}
        </>
      }
    />
  );
}
