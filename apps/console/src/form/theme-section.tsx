import type { FormSettingsDetail, FormTheme } from '@sheaf/client';
import { contrast, defaultColours, minTextContrast } from '@sheaf/contracts';
import { useState } from 'react';
import { Button } from '../parts/button';
import { TextField } from '../parts/fields';
import page from '../parts/page.module.css';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { readLogo } from './logo';
import { useSettingsDraft } from './settings-draft';
import { SettingsSection } from './settings-section';
import style from './settings.module.css';

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text);

/** How the form's page looks. The contrast is told while colours are chosen; the server refuses what is hard to read. */
export function ThemeSection({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('formSettings');
  const draft = useSettingsDraft(form);
  const theme: FormTheme = draft.value('theme') ?? {};
  const set = (change: Partial<Record<keyof FormTheme, string | undefined>>) => {
    const next = Object.fromEntries(Object.entries({ ...theme, ...change }).filter(([, value]) => Boolean(value)));
    draft.set('theme', Object.keys(next).length === 0 ? null : next);
  };
  const faults = useThemeFaults(theme);
  const colour = (name: 'accent' | 'background', label: string, help: string) => (
    <ColourField
      label={label}
      help={help}
      value={theme[name] ?? ''}
      usual={defaultColours[name]}
      fault={faults[name] ?? draft.fault(`theme.${name}`)}
      mayEdit={mayEdit}
      onChange={(value) => set({ [name]: value })}
    />
  );
  return (
    <SettingsSection
      title={say.look}
      help={say.lookHelp}
      draft={draft}
      paths={['theme.accent', 'theme.background', 'theme.logo']}
      mayEdit={mayEdit}
    >
      <div className={style.colours}>
        {colour('accent', say.accent, say.accentHelp)}
        {colour('background', say.background, say.backgroundHelp)}
      </div>
      <Sample theme={theme} title={form.title} />
      <LogoField logo={theme.logo} fault={draft.fault('theme.logo')} mayEdit={mayEdit} onChange={(logo) => set({ logo })} />
    </SettingsSection>
  );
}

/** Told before the server would: the same three pairs of colours, and the same bound. */
function useThemeFaults(theme: FormTheme): { accent?: string; background?: string } {
  const say = useWords('formSettings');
  const formats = useFormats();
  const { accent = defaultColours.accent, background = defaultColours.background } = theme;
  const malformed = {
    ...(isColour(accent) ? {} : { accent: say.noColour }),
    ...(isColour(background) ? {} : { background: say.noColour }),
  };
  if (Object.keys(malformed).length > 0) return malformed;
  const poor = (one: string, other: string, sentence: (ratio: string) => string) => {
    const ratio = contrast(one, other);
    return ratio < minTextContrast ? sentence(formats.number(Math.floor(ratio * 100) / 100)) : undefined;
  };
  const ofText = poor(background, defaultColours.text, say.textContrast);
  const ofButton = poor(accent, '#ffffff', say.buttonContrast);
  const ofLink = poor(accent, background, say.linkContrast);
  const accentFault = theme.accent === undefined ? undefined : (ofButton ?? ofLink);
  const backgroundFault = ofText ?? (theme.accent === undefined ? ofLink : undefined);
  return {
    ...(accentFault === undefined ? {} : { accent: accentFault }),
    ...(backgroundFault === undefined ? {} : { background: backgroundFault }),
  };
}

function ColourField({
  label,
  help,
  value,
  usual,
  fault,
  mayEdit,
  onChange,
}: {
  label: string;
  help: string;
  value: string;
  usual: string;
  fault: string | undefined;
  mayEdit: boolean;
  onChange: (value: string) => void;
}) {
  const say = useWords('formSettings');
  return (
    <div className={style.colour}>
      <TextField
        label={label}
        help={help}
        value={value}
        placeholder={usual}
        onChange={(text) => onChange(text.trim().toLowerCase())}
        fault={fault}
        maxLength={7}
        isReadOnly={!mayEdit}
        spellCheck="false"
      />
      <input
        type="color"
        className={style.well}
        aria-label={say.pick(label)}
        value={isColour(value) ? value : usual}
        disabled={!mayEdit}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

/** A link and a button on the page's background, in light mode as the check of the colours. */
function Sample({ theme, title }: { theme: FormTheme; title: string }) {
  const say = useWords('formSettings');
  const { accent = defaultColours.accent, background = defaultColours.background } = theme;
  if (!isColour(accent) || !isColour(background)) return null;
  return (
    <div className={page.frame} style={{ background, color: defaultColours.text }} role="img" aria-label={say.sample}>
      {theme.logo !== undefined && <img src={theme.logo} alt="" className={style.logo} />}
      <strong dir="auto">{title}</strong>
      <span style={{ color: accent, textDecoration: 'underline' }}>{say.sampleLink}</span>
      <span className={style.sampleButton} style={{ background: accent, color: '#ffffff' }}>
        {say.sampleButton}
      </span>
    </div>
  );
}

function LogoField({
  logo,
  fault,
  mayEdit,
  onChange,
}: {
  logo: string | undefined;
  fault: string | undefined;
  mayEdit: boolean;
  onChange: (logo: string | undefined) => void;
}) {
  const say = useWords('formSettings');
  const [error, setError] = useState<string>();
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const read = await readLogo(file);
    setError(read === undefined ? say.logoRefused : undefined);
    if (read !== undefined) onChange(read);
  };
  const shown = error ?? fault;
  return (
    <div className={style.form}>
      <label>
        <strong>{say.logo}</strong>
        <span className="muted"> {say.logoHelp}</span>
        {mayEdit && (
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            className={style.file}
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </label>
      {shown !== undefined && <p role="alert">{shown}</p>}
      {logo === undefined && !mayEdit && <p>{say.none}</p>}
      {logo !== undefined && (
        <div className={style.row}>
          <img src={logo} alt={say.logo} className={style.logo} />
          {mayEdit && (
            <Button isSmall onPress={() => onChange(undefined)}>
              {say.removeLogo}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
