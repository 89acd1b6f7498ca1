import {
  countTexts,
  formTextsOf,
  isUntranslated,
  mainTextOf,
  textsOf,
  type Field,
  type FormPart,
  type TranslatableText,
} from '@sheaf/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Languages } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../parts/button';
import { Select, Switch } from '../../parts/fields';
import { Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { FormLanguages, useFormTranslation } from './form-languages';
import { TextRow } from './text-row';
import { translated } from './translated';
import style from './translations.module.css';
import { languageName } from '../../words/language-name';

/** Rows at a time: a form may have thousands of texts. */
const rowsAtOnce = 100;

/** Every text of the form beside its translation into one language. */
export function Translations() {
  const say = useWords('builder').translations;
  const { form } = useEditing();
  const { lang, missing } = useSearch({ from: '/shell/console/forms/$form/build' });
  const own = form.default_language ?? form.languages?.[0];
  const others = (form.languages ?? []).filter((language) => language !== own);
  const language = others.find((each) => each === lang) ?? others[0];
  return (
    <Page>
      <FormLanguages form={form} />
      {language === undefined ? (
        <Empty icon={Languages} title={say.emptyTitle}>
          {say.emptyHelp}
        </Empty>
      ) : (
        <Texts language={language} others={others} isFiltered={missing === '1'} />
      )}
    </Page>
  );
}

function Texts({ language, others, isFiltered }: { language: string; others: readonly string[]; isFiltered: boolean }) {
  const say = useWords('builder').translations;
  const formats = useFormats();
  const { form, state } = useEditing();
  const navigate = useNavigate({ from: '/console/forms/$form/build' });
  const { all, missing } = countTexts(
    form,
    state.history.present.entries.map(({ item }) => item),
    language,
  );
  const set = (chosen: { lang?: string; missing?: string | undefined }) =>
    void navigate({ search: (search) => ({ ...search, ...chosen }), replace: true, resetScroll: false });
  return (
    <Section title={say.translation} help={say.savedAtOnce}>
      <div className={style.choices}>
        <Select
          label={say.translateTo}
          value={language}
          options={others.map((each) => ({ value: each, label: languageName(each) }))}
          onChange={(lang) => set({ lang })}
        />
        <Switch isSelected={isFiltered} onChange={(isOn) => set({ missing: isOn ? '1' : undefined })}>
          {say.onlyMissing}
        </Switch>
      </div>
      <p role="status">{missing === 0 ? say.complete : say.missing(formats.number(missing), formats.number(all))}</p>
      <Groups key={`${language} ${String(isFiltered)}`} language={language} isFiltered={isFiltered} />
    </Section>
  );
}

interface Group {
  id: string;
  heading: string;
  texts: readonly TranslatableText[];
  save: (part: string, text: string) => unknown;
}

function Groups({ language, isFiltered }: { language: string; isFiltered: boolean }) {
  const say = useWords('builder').translations;
  const buildSay = useWords('builder').page;
  const groups = useGroups(language);
  const [limit, setLimit] = useState(rowsAtOnce);
  // Rows that lacked a text when the filter was set stay, so that nothing vanishes under the hands of somebody who types.
  const [wanted] = useState(
    () => new Set(groups.flatMap(({ id, texts }) => texts.filter(isUntranslated).map(({ part }) => `${id} ${part}`))),
  );
  let count = 0;
  const shown = groups.flatMap((group) => {
    const texts = group.texts.filter(({ part }) => (!isFiltered || wanted.has(`${group.id} ${part}`)) && ++count <= limit);
    return texts.length > 0 ? [{ ...group, texts }] : [];
  });
  return (
    <>
      {shown.map(({ id, heading, texts, save }) => (
        <section key={id} className={style.group} aria-label={heading === '' ? buildSay.untitled : heading}>
          <h3 dir="auto">{heading === '' ? buildSay.untitled : heading}</h3>
          {texts.map((text) => (
            <TextRow key={text.part} text={text} language={language} onSave={(next) => save(text.part, next)} />
          ))}
        </section>
      ))}
      {count > limit && (
        <div>
          <Button onPress={() => setLimit(limit + rowsAtOnce)}>{say.showMore}</Button>
        </div>
      )}
    </>
  );
}

function useGroups(language: string): Group[] {
  const say = useWords('builder').translations;
  const { form, edit, state } = useEditing();
  const { mutateAsync } = useFormTranslation(form);
  return [
    {
      id: 'form',
      heading: say.form,
      texts: formTextsOf(form, language),
      save: (part, text) => mutateAsync({ language, part: part as FormPart, text }),
    },
    ...state.history.present.entries.map((entry) => ({
      id: `item ${entry.id}`,
      heading: mainTextOf(entry.item),
      texts: textsOf(entry.item, language),
      save: (part: string, text: string) =>
        edit({ do: 'change', id: entry.id, to: { translations: translated(entry.item, language, part, text) as Field['translations'] } }),
    })),
  ];
}
