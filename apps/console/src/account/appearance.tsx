import { useState } from 'react';
import { RadioGroup } from '../parts/fields';
import { Section } from '../parts/page';
import { useAttempt } from '../parts/use-attempt';
import { chooseAppearance, useAppearance, type Appearance } from '../shell/appearance';
import { themes, type Theme } from '../shell/theme';
import { languageNames, languages, type Language } from '../words/language';
import { useWords } from '../words/use-words';
import style from '../parts/page.module.css';

/** The language and the theme, here and on the person's other devices. */
export function AppearanceSection() {
  const say = useWords('account');
  const attempt = useAttempt();
  const { language, theme } = useAppearance();
  // Seen at once, while its words are on their way.
  const [chosen, setChosen] = useState<Language>();
  const themeNames: Record<Theme, string> = { system: say.themeSystem, light: say.themeLight, dark: say.themeDark };
  const choose = (change: Partial<Appearance>) => attempt(() => chooseAppearance(change));
  const chooseLanguage = (next: Language) =>
    attempt(async () => {
      setChosen(next);
      await chooseAppearance({ language: next }).finally(() => setChosen(undefined));
    });
  return (
    <Section title={say.appearance} help={say.appearanceHelp}>
      <div className={style.narrowForm}>
        <RadioGroup
          label={say.language}
          value={chosen ?? language}
          onChange={chooseLanguage}
          options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
        />
        <RadioGroup
          label={say.theme}
          value={theme}
          onChange={(next) => choose({ theme: next })}
          options={themes.map((each) => ({ value: each, label: themeNames[each] }))}
        />
      </div>
    </Section>
  );
}
