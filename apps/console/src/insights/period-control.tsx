import { useNavigate } from '@tanstack/react-router';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import style from './insights.module.css';
import { rangeOf, ranges, type PeriodSearch, type Range, type Span } from './period';

/** Which days the chart shows. The choice is in the address. */
export function PeriodControl({ search, span }: { search: PeriodSearch; span: Span }) {
  const say = useWords('insights');
  const navigate = useNavigate({ from: '/console/forms/$form/insights' });
  const range = rangeOf(search);
  // The days are chosen anew, and what else is chosen stays.
  const go = (next: PeriodSearch) =>
    void navigate({
      search: ({ range: _range, from: _from, to: _to, ...rest }) => ({ ...rest, ...next }),
      replace: true,
      resetScroll: false,
    });
  const choose = (next: Range) => go(next === 'custom' ? { range: next, ...span } : { range: next });
  const labels: Record<Range, string> = { '7d': say.days7, '30d': say.days30, '90d': say.days90, all: say.allTime, custom: say.custom };
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={search[name] ?? span[name]}
      onChange={(value) => {
        // While a date is typed by keyboard it has no value.
        if (value !== '') go({ range: 'custom', ...span, [name]: value });
      }}
    />
  );
  return (
    <div className={style.period}>
      <ToggleButtonGroup
        aria-label={say.period}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[range]}
        onSelectionChange={(keys) => {
          const chosen = ranges.find((each) => keys.has(each));
          if (chosen !== undefined) choose(chosen);
        }}
        className={style.segments ?? ''}
      >
        {ranges.map((each) => (
          <ToggleButton key={each} id={each} className={style.segment ?? ''}>
            {labels[each]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {range === 'custom' && (
        <div className={style.dates}>
          {day('from', say.from)}
          {day('to', say.to)}
        </div>
      )}
    </div>
  );
}
