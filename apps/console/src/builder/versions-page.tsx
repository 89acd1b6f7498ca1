import { listFormVersions, type FormSettingsDetail, type FormVersion } from '@sheaf/client';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, History } from 'lucide-react';
import { useState } from 'react';
import { client } from '../api/client';
import { mayEdit, useForm } from '../form/form';
import { Button, ButtonLink } from '../parts/button';
import { Page, PageHead, Table } from '../parts/page';
import { Badge, Empty, Since } from '../parts/states';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { Parts } from './editor/parts';
import { Comparison } from './versions/comparison';
import { ReplaceDialog } from './versions/replace-dialog';
import { usePeople } from './versions/people';

const pageSize = 50;

/** What was published, what changed from one version to another, and the way back. */
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
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery({
    queryKey: ['form', form.id, 'versions'],
    queryFn: ({ pageParam, signal }) =>
      listFormVersions({ client, path: { id: form.id }, query: { limit: pageSize, offset: pageParam }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ offset, total, data: rows }) =>
      offset + rows.length < total && rows.length > 0 ? offset + rows.length : undefined,
  });
  const versions = data.pages.flatMap((page) => page.data);
  return (
    <>
      {form.current_version > 1 && <Comparison form={form} />}
      <VersionTable form={form} versions={versions} />
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {say.loadMore}
          </Button>
        </div>
      )}
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
      <Table label={say.list}>
        <thead>
          <tr>
            <th scope="col">{say.versions}</th>
            <th scope="col">{say.published}</th>
            <th scope="col">{say.by}</th>
            <th scope="col">
              <span className="visually-hidden">{say.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, published_at, published_by }) => (
            <tr key={version}>
              <th scope="row">
                {say.version(version)} {version === form.current_version && <Badge tone="good">{say.current}</Badge>}
              </th>
              <td>
                <Since time={published_at} />
              </td>
              <td dir="auto">{nameOf(published_by)}</td>
              <td>
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
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {restoring !== undefined && <ReplaceDialog form={form} version={restoring} onClose={() => setRestoring(undefined)} />}
    </>
  );
}
