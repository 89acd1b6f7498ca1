import { updateFormSettings, type FormSettingsDetail } from '@sheaf/client';
import type { FormPart } from '@sheaf/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { IconButton } from '../../parts/button';
import { ConfirmDialog } from '../../parts/dialog';
import { Select } from '../../parts/fields';
import { Section } from '../../parts/page';
import { Problem } from '../../parts/problem';
import { formQuery } from '../../form/form';
import { useWords } from '../../words/use-words';
import style from './translations.module.css';
import { languageName } from '../../words/language-name';

/** Languages that forms are often written in; first those that the pages of forms have words in. */
const common =
  'en de fr es it pt nl pl tr ar he uk zh zh-Hant ja bg ca cs da el es-MX et fa fi fr-CA hi hr hu id ko lt lv nb pt-BR ro ru sk sl sq sr sv sw th ur vi'.split(
    ' ',
  );

/** Changes settings of the form that take effect at once. */
export function useFormSettings(form: FormSettingsDetail) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Parameters<typeof updateFormSettings>[0]['body']) => updateFormSettings({ client, path: { id: form.id }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['form', form.id] }),
  });
}

/** Saves the translation of a text of the form itself. */
export function useFormTranslation(form: FormSettingsDetail) {
  const queryClient = useQueryClient();
  const { queryKey } = formQuery(form.id);
  return useMutation({
    // The server replaces all translations at once: one save at a time, each from what the one before it has left.
    scope: { id: `translations of ${form.id}` },
    mutationFn: ({ language, part, text }: { language: string; part: FormPart; text: string }) => {
      const { translations } = queryClient.getQueryData(queryKey) ?? form;
      const { [part]: _, ...rest } = translations?.[language] ?? {};
      const body = { translations: { ...translations, [language]: { ...rest, ...(text === '' ? {} : { [part]: text }) } } };
      return updateFormSettings({ client, path: { id: form.id }, body });
    },
    onSuccess: async (answer) => {
      // An answer to an earlier request must not overwrite this one.
      await queryClient.cancelQueries({ queryKey, exact: true });
      queryClient.setQueryData(queryKey, (before) => {
        if (!before) return before;
        const { translations: _, ...others } = before;
        return { ...others, ...answer };
      });
    },
    // The next save need not wait for what is loaded again.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['form', form.id] }),
  });
}

/** The languages of the form: which one it was written in, and which it offers. */
export function FormLanguages({ form }: { form: FormSettingsDetail }) {
  const say = useWords('builder').translations;
  const { mutate, mutateAsync, error } = useFormSettings(form);
  const [removing, setRemoving] = useState<string>();
  const offered = form.languages ?? [];
  const own = form.default_language ?? offered[0];
  const known = [...new Set([...offered, ...common])];
  const option = (language: string) => ({ value: language, label: languageName(language) });
  return (
    <Section title={say.languages} help={say.languagesHelp}>
      <div className={style.choices}>
        <Select
          label={say.writtenIn}
          value={own ?? null}
          placeholder={say.choose}
          options={known.map(option)}
          onChange={(language) =>
            mutate({ default_language: language, ...(offered.length > 0 ? { languages: [...new Set([language, ...offered])] } : {}) })
          }
        />
        <Select
          label={say.addLanguage}
          value={null}
          placeholder={say.choose}
          options={known.filter((language) => language !== own && !offered.includes(language)).map(option)}
          onChange={(language) => {
            const before = offered.length > 0 ? offered : [own ?? 'en'];
            mutate({ default_language: own ?? before[0] ?? 'en', languages: [...new Set([...before, language])] });
          }}
        />
      </div>
      {offered.length > 0 && (
        <ul className={style.languages}>
          {offered.map((language) => (
            <li key={language}>
              <bdi lang={language}>{languageName(language)}</bdi>
              {language !== own && (
                <IconButton isSmall icon={X} label={say.remove(languageName(language))} onPress={() => setRemoving(language)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {error && <Problem error={error} />}
      {removing !== undefined && (
        <ConfirmDialog
          title={say.removeTitle(languageName(removing))}
          onClose={() => setRemoving(undefined)}
          submitLabel={say.remove(languageName(removing))}
          onSubmit={() => mutateAsync({ languages: offered.filter((language) => language !== removing) })}
        >
          {say.removeHelp}
        </ConfirmDialog>
      )}
    </Section>
  );
}
