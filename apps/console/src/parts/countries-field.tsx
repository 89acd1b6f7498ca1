import { countryOptions } from '@sheaf/contracts';
import { X } from 'lucide-react';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { IconButton } from './button';
import { Select, type FieldTexts } from './fields';
import style from './fields.module.css';

interface CountriesFieldProps extends FieldTexts {
  codes: readonly string[];
  /** The countries to choose from; all if it is absent. */
  offered?: readonly string[] | undefined;
  /** The most that can be chosen. */
  most?: number;
  onChange: (codes: string[]) => void;
}

/** Several countries in the order in which they were chosen. They are added one by one from a list that finds what is typed: 250 boxes would be too many. */
export function CountriesField({ codes, offered, most = Infinity, onChange, ...texts }: CountriesFieldProps) {
  const say = useWords('everywhere').parts;
  const formats = useFormats();
  const chosen = new Set(codes);
  const others = countryOptions({ only: offered }, useLanguage()).filter(({ value }) => !chosen.has(value));
  return (
    <div role="group" aria-label={texts.label} className={style.field}>
      <Select
        {...texts}
        options={others}
        value={null}
        placeholder={say.addCountry}
        isDisabled={others.length === 0 || codes.length >= most}
        onChange={(code) => onChange([...codes, code])}
      />
      {codes.length > 0 && (
        <ul className={style.picked}>
          {codes.map((code) => (
            <li key={code}>
              <span>{formats.country(code)}</span>
              <IconButton
                isSmall
                icon={X}
                label={say.removeCountry(formats.country(code))}
                onPress={() => onChange(codes.filter((each) => each !== code))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
