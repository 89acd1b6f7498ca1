import type { FormSettingsDetail } from '@sheaf/client';
import { Inbox, SearchX } from 'lucide-react';
import { mayEdit } from '../form/form';
import { Button, ButtonLink } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Empty } from '../parts/states';
import { useWords } from '../words/use-words';

interface EmptyListProps {
  form: FormSettingsDetail;
  isFiltered: boolean;
  onClear: () => void;
  onEnter: () => void;
  onImport: () => void;
}

/** In place of a list without submissions: the way to the first ones. */
export function EmptyList({ form, isFiltered, onClear, onEnter, onImport }: EmptyListProps) {
  const say = useWords('submissions');
  if (isFiltered)
    return (
      <Empty icon={SearchX} title={say.nothingFound} actions={<Button onPress={onClear}>{say.clearFilters}</Button>}>
        {say.nothingFoundHelp}
      </Empty>
    );
  const address = `${location.origin}/f/${form.slug ?? form.id}`;
  return (
    <Empty
      icon={Inbox}
      title={say.emptyTitle}
      actions={
        <>
          <CopyButton text={address} label={say.copyFormLink} />
          <ButtonLink isSmall href={address} target="_blank" rel="noreferrer">
            {say.openForm}
          </ButtonLink>
          {mayEdit(form) && (
            <>
              <Button isSmall onPress={onEnter}>
                {say.enterSubmission}
              </Button>
              <Button isSmall onPress={onImport}>
                {say.importTitle}
              </Button>
            </>
          )}
        </>
      }
    >
      <p>{say.emptyHelp}</p>
      <p>
        <code>{address}</code>
      </p>
    </Empty>
  );
}
