import { answerKindOf, maxPreferred, type Field } from '@sheaf/contracts';
import { CountriesField } from '../../parts/countries-field';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The countries that people choose from, and those that they see first. */
export function CountrySettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const onlyFault = useFaultText(entry.id, 'only');
  const preferredFault = useFaultText(entry.id, 'preferred');
  if (answerKindOf(field) !== 'country') return null;
  const { only, preferred = [] } = field;
  const change = (to: Partial<Field>) => edit({ do: 'change', id: entry.id, to });
  const given = (codes: readonly string[]) => (codes.length > 0 ? [...codes] : undefined);
  return (
    <Settings title={say.countries}>
      <CountriesField
        label={say.preferred}
        help={say.preferredHelp}
        fault={preferredFault}
        codes={preferred}
        offered={only}
        most={maxPreferred}
        onChange={(codes) => change({ preferred: given(codes) })}
      />
      <CountriesField
        label={say.only}
        help={say.onlyHelp}
        fault={onlyFault}
        codes={only ?? []}
        // A country that is taken away is not listed first any more.
        onChange={(codes) =>
          change({ only: given(codes), ...(codes.length > 0 && { preferred: given(preferred.filter((code) => codes.includes(code))) }) })
        }
      />
    </Settings>
  );
}
