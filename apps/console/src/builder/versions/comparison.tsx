import { compareFormVersions, type FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { client } from '../../api/client';
import { Select } from '../../parts/fields';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { Skeleton } from '../../parts/states';
import { useWords } from '../../words/use-words';
import { ChangesList } from '../differences/changes-list';
import style from './versions.module.css';

/** The differences between any two versions; at first between the last two. The address has both. */
export function Comparison({ form }: { form: FormSettingsDetail }) {
  const say = useWords('builder').versions;
  const search = useSearch({ from: '/shell/console/forms/$form/versions' });
  const navigate = useNavigate({ from: '/console/forms/$form/versions' });
  const last = form.current_version;
  const within = (text: string | undefined, otherwise: number) => {
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 && number <= last ? number : otherwise;
  };
  const to = within(search.to, last);
  const from = within(search.from, Math.max(1, to - 1));
  const options = Array.from({ length: last }, (_, index) => ({ value: String(last - index), label: say.version(last - index) }));
  const choose = (chosen: { from?: string; to?: string }) =>
    void navigate({ search: { from: String(from), to: String(to), ...chosen }, replace: true, resetScroll: false });
  return (
    <Section title={say.compare} help={say.compareHelp}>
      <div className={style.pair}>
        <Select label={say.from} value={String(from)} options={options} onChange={(version) => choose({ from: version })} />
        <Select label={say.to} value={String(to)} options={options} onChange={(version) => choose({ to: version })} />
      </div>
      <Differences id={form.id} from={from} to={to} />
    </Section>
  );
}

export function Differences({ id, from, to }: { id: string; from: number; to: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['form', id, 'versions', 'differences', from, to],
    queryFn: ({ signal }) => compareFormVersions({ client, path: { id, version: String(from), otherVersion: String(to) }, signal }),
    staleTime: 'static',
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  return data ? <ChangesList changes={data.changes} payment={data.payment} /> : <Skeleton lines={3} />;
}
