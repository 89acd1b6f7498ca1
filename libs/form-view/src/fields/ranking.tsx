import { choiceBounds } from '@sheaf/contracts';
import { useReading } from '../reading';
import { formatNumber } from '../words/formats';
import { idOf, invalid, nameOf, type Control } from './control';
import { Group } from './surroundings';

/**
 * A list of the options for each rank, which needs no script, can be used by keyboard and is spoken as any list is. Their values arrive in the
 * order of the ranks, which is that of the answer.
 */
export function Ranking({ control }: { control: Control }) {
  const { language, documentLanguage, words } = useReading();
  const { max: ranks = 0 } = choiceBounds(control.field);
  return (
    <Group control={control} isRadio={false}>
      <div className="ranks">
        {Array.from({ length: ranks }, (_, index) => (
          <div key={index}>
            <label htmlFor={idOf(control, index + 1)}>{words.rankOf(formatNumber(language, index + 1))}</label>
            <select
              id={idOf(control, index + 1)}
              name={nameOf(control)}
              defaultValue={control.values[index]}
              aria-invalid={invalid(control)}
            >
              <option value="">{words.choose}</option>
              {control.texts.options.map(({ value, label: { text, lang }, visible_if }) => (
                <option
                  key={value}
                  value={value}
                  lang={lang === documentLanguage ? undefined : lang}
                  data-if={visible_if && JSON.stringify(visible_if)}
                >
                  {text}
                </option>
              ))}
            </select>
          </div>
        ))}
      </div>
    </Group>
  );
}
