import type { FormInsights, FormSettingsDetail } from '@sheaf/client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ChartNoAxesColumn } from 'lucide-react';
import { useCallback, useEffect, useRef } from 'react';
import { useForm } from '../form/form';
import { HeldSpam } from '../form/held-spam';
import { usualZone } from '../share/wall-time';
import { ButtonLink } from '../parts/button';
import { Page } from '../parts/page';
import { Problem } from '../parts/problem';
import { Empty, Skeleton } from '../parts/states';
import { useChanges } from '../shell/live-changes';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { CompletionSection } from './completion-section';
import { DaysSection } from './days-section';
import { FieldsSection } from './fields-section';
import style from './insights.module.css';
import { insightsQuery } from './insights-query';
import { dayIn, spanOf } from './period';
import { PeriodControl } from './period-control';
import { StatusSection } from './status-section';

/** The insights of a form. */
export function InsightsPage() {
  const say = useWords('insights');
  const form = useForm();
  useTitle(say.insights, form.title);
  const search = useSearch({ from: '/shell/console/forms/$form/insights' });
  const zone = form.timezone ?? usualZone;
  const span = spanOf(search, dayIn(Date.now(), zone), dayIn(form.created_at, zone));
  useLateCounts(form.id);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...insightsQuery(form.id, span),
    enabled: form.current_version > 0,
    // The last period stays until the next one is there.
    placeholderData: keepPreviousData,
    // Only while submissions are still being counted.
    refetchInterval: ({ state }) => (state.data?.complete === false ? 5_000 : false),
  });
  if (form.current_version === 0 || data?.submissions === 0) return <NothingYet form={form} />;
  return (
    <Page>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton lines={10} /> : <Counts {...{ form, data, isStale: isPlaceholderData, search, span }} />}
    </Page>
  );
}

function Counts({
  form,
  data,
  isStale,
  search,
  span,
}: {
  form: FormSettingsDetail;
  data: FormInsights;
  isStale: boolean;
  search: Parameters<typeof spanOf>[0];
  span: ReturnType<typeof spanOf>;
}) {
  const say = useWords('insights');
  return (
    <>
      <HeldSpam form={{ id: form.id, submissions: data }} />
      {!data.complete && (
        <p role="status" className={style.notice}>
          {say.incomplete}
        </p>
      )}
      <DaysSection data={data} isStale={isStale} actions={<PeriodControl search={search} span={span} />} />
      <CompletionSection days={data.days} />
      <StatusSection statuses={data.statuses} total={data.submissions} />
      <FieldsSection form={form} data={data} />
    </>
  );
}

function NothingYet({ form }: { form: FormSettingsDetail }) {
  const say = useWords('insights');
  const isPublished = form.current_version > 0;
  return (
    <Page>
      <HeldSpam form={form} />
      <Empty
        icon={ChartNoAxesColumn}
        title={isPublished ? say.noSubmissions : say.notPublished}
        actions={
          <ButtonLink look="primary" href={`/console/forms/${form.id}/${isPublished ? 'share' : 'build'}`}>
            {isPublished ? say.toShare : say.toBuild}
          </ButtonLink>
        }
      >
        {isPublished ? say.noSubmissionsHelp : say.notPublishedHelp}
      </Empty>
    </Page>
  );
}

const lateMs = [2_000, 6_000, 20_000];

/** Submissions are counted some seconds after they arrive, so the counts are loaded again after the change was told. */
function useLateCounts(id: string): void {
  const queryClient = useQueryClient();
  const waiting = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  // Many changes within a moment are one.
  const again = useCallback(() => {
    for (const wait of lateMs) {
      if (waiting.current.has(wait)) continue;
      const load = () => {
        waiting.current.delete(wait);
        void queryClient.invalidateQueries({ queryKey: ['form', id, 'insights'] });
      };
      waiting.current.set(wait, setTimeout(load, wait));
    }
  }, [queryClient, id]);
  useEffect(() => {
    const { current: timers } = waiting;
    return () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    };
  }, [again]);
  useChanges(id, again);
}
