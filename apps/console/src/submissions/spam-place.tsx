import { listSpamSubmissions, type FormSettingsDetail, type SpamSubmission } from '@sheaf/client';
import { ShieldCheck } from 'lucide-react';
import { client } from '../api/client';
import { mayEdit } from '../form/form';
import { Button } from '../parts/button';
import { Badge, Empty } from '../parts/states';
import { useWords } from '../words/use-words';
import { restore, setSpam, trash } from './deeds';
import { PlaceList, placePage, usePlace } from './place-list';
import { useActs } from './use-deeds';

/** The submissions taken for spam, with the reason: released it counts and is announced like any other; kept here it is neither. */
export function SpamPlace({ form }: { form: FormSettingsDetail }) {
  const say = useWords('submissions');
  const place = usePlace<SpamSubmission>(form.id, 'spam', (offset, signal) =>
    listSpamSubmissions({ client, path: { id: form.id }, query: placePage(offset), signal }),
  );
  const act = useActs(form.id, place.reload);
  const reasons: Readonly<Record<string, string | undefined>> = {
    honeypot: say.spam_honeypot,
    too_fast: say.spam_too_fast,
    too_many_links: say.spam_too_many_links,
    no_proof: say.spam_no_proof,
    checker: say.spam_checker,
    marked: say.spam_marked,
  };
  const release = (ids: string[]) => act(ids, say.released, { deed: (work) => setSpam(work, false), back: (work) => setSpam(work, true) });
  const remove = (ids: string[]) => act(ids, say.trashed, { deed: trash, back: restore });
  return (
    <>
      <p className="muted">{say.spamHelp}</p>
      <PlaceList
        form={form}
        place={place}
        label={say.placeSpam}
        facts={(item) => <Badge tone="waiting">{reasons[item.spam_reason] ?? item.spam_reason}</Badge>}
        actions={
          mayEdit(form)
            ? (items, clear) => {
                const press = (onItems: (ids: string[]) => void) => () => {
                  onItems(items.map(({ id }) => id));
                  clear();
                };
                return (
                  <>
                    <Button isSmall onPress={press(release)}>
                      {say.release}
                    </Button>
                    <Button isSmall look="quiet" onPress={press(remove)}>
                      {say.moveToTrash}
                    </Button>
                  </>
                );
              }
            : undefined
        }
        empty={
          <Empty icon={ShieldCheck} title={say.noSpam}>
            {say.noSpamHelp}
          </Empty>
        }
      />
    </>
  );
}
