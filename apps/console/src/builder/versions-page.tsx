import { listFormVersions, type FormSettingsDetail, type FormVersion } from '@sheaf/client';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, History } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { mayEdit, useForm } from '../form/form';
import { Button, ButtonLink } from '../parts/button';
import { LoadMore } from '../parts/loaded';
import { Page, PageHead } from '../parts/page';
import { Rows } from '../parts/rows';
import { Badge, Empty, Since } from '../parts/states';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { Parts } from './editor/parts';
import { Comparison } from './versions/comparison';
import { ReplaceDialog } from './versions/replace-dialog';
import { usePeople } from './versions/people';

const pageSize = 50;

/** The versions of a form, the changes from one to another, and the way back. */
export function VersionsPage() {
  const say = useWords('builder').versions;
  const form = useForm();
  useTitle(say.versions, form.title);
  const [isDiscarding, setIsDiscarding] = useState(false);
  const canDiscard = mayEdit(form) && form.current_version > 0 && form.unpublished_changes;
  return (
    <Page>
      {mayEdit(form) ? (
        <div>
          <Parts formId={form.id} />
        </div>
      ) : (
        <div>
          <ButtonLink icon={ArrowLeft} href={`/console/forms/${form.id}/build`}>
            {say.toBuild}
          </ButtonLink>
        </div>
      )}
      <PageHead
        level={2}
        title={say.versions}
        help={say.help}
        actions={
          canDiscard && (
            <Button look="danger" onPress={() => setIsDiscarding(true)}>
              {say.discard}
            </Button>
          )
        }
      />
      {form.current_version === 0 ? (
        <Empty icon={History} title={say.emptyTitle}>
          {say.emptyHelp}
        </Empty>
      ) : (
        <Versions form={form} />
      )}
      {isDiscarding && <ReplaceDialog form={form} version={undefined} onClose={() => setIsDiscarding(false)} />}
    </Page>
  );
}

function Versions({ form }: { form: FormSettingsDetail }) {
  const say = useWords('builder').versions;
  const pages = useSuspenseInfiniteQuery({
    queryKey: ['form', form.id, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      listFormVersions({ client, path: { id: form.id }, query: { limit: pageSize, offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, total, data: rows }) =>
      offset + rows.length < total && rows.length > 0 ? offset + rows.length : undefined,
  });
  const versions = pages.data.pages.flatMap((page) => page.data);
  return (
    <>
      {form.current_version > 1 && <Comparison form={form} />}
      <VersionTable form={form} versions={versions} />
      <LoadMore pages={pages} label={say.loadMore} />
    </>
  );
}

function VersionTable({ form, versions }: { form: FormSettingsDetail; versions: readonly FormVersion[] }) {
  const say = useWords('builder').versions;
  const nameOf = usePeople();
  const navigate = useNavigate({ from: '/console/forms/$form/versions' });
  const { to: shown } = useSearch({ from: '/shell/console/forms/$form/versions' });
  const [restoring, setRestoring] = useState<number>();
  const show = (version: number) =>
    void navigate({ search: { from: String(Math.max(1, version - 1)), to: String(version) }, replace: true, resetScroll: true });
  return (
    <>
      <Rows
        label={say.list}
        rows={versions}
        keyOf={({ version }) => version}
        columns={[
          {
            head: say.versions,
            kind: 'name',
            cell: ({ version }) => (
              <>
                {say.version(version)} {version === form.current_version && <Badge tone="good">{say.current}</Badge>}
              </>
            ),
          },
          { head: say.published, cell: (version) => <Since time={version.published_at} /> },
          { head: say.by, cell: (version) => <span dir="auto">{nameOf(version.published_by)}</span> },
          {
            head: say.actions,
            kind: 'actions',
            cell: ({ version }) => (
              <>
                <Button
                  isSmall
                  look="quiet"
                  aria-label={say.whatChangedIn(version)}
                  aria-pressed={shown === String(version)}
                  onPress={() => show(version)}
                >
                  {say.whatChanged}
                </Button>
                {mayEdit(form) && (
                  <Button isSmall look="quiet" aria-label={say.restoreVersion(version)} onPress={() => setRestoring(version)}>
                    {say.restore}
                  </Button>
                )}
              </>
            ),
          },
        ]}
      />
      {restoring !== undefined && <ReplaceDialog form={form} version={restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}
