import { importForm } from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useFilter } from 'react-aria-components';
import { Button as AriaButton } from 'react-aria-components/Button';
import { client } from '../api/client';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/problem';
import { SearchField } from '../parts/search-field';
import { useSession } from '../session/session';
import type { Language } from '../words/language';
import { loadWords } from '../words/loading';
import { useLanguage, useWords } from '../words/use-words';
import { reloadLists } from './actions';
import type { Beginning } from './question';
import { countQuestions, documentOf, otherLanguage, purposes, templates, type Template } from './templates/templates';
import style from './templates-dialog.module.css';

/** A choice of templates. The form is written in the person's language, and comes with the translation into the other one. */
export function TemplatesDialog({ folder, onMade, onClose }: Beginning & { onClose: () => void }) {
  const say = useWords('forms');
  const texts = useWords('templates');
  const navigate = useNavigate();
  const { make, isPending, error } = useMakeFromTemplate(folder);
  const choose = async (template: Template) => {
    const id = await make(template);
    onClose();
    if (onMade) onMade(id);
    else await navigate({ to: '/console/forms/$form/build', params: { form: id }, state: { isNewForm: true } });
  };
  const [sought, setSought] = useState('');
  const { contains } = useFilter({ sensitivity: 'base' });
  const isFound = ({ id }: Template) => {
    const { title, about } = texts[id];
    return sought.split(/\s+/).every((word) => contains(`${title} ${about}`, word));
  };
  const found = templates.filter(isFound);
  return (
    <Dialog isWide isDismissable title={say.templatesTitle} onClose={onClose}>
      <p className="muted">{say.templatesHelp}</p>
      <SearchField label={say.findTemplate} value={sought} onChange={setSought} />
      {error !== null && <Problem error={error} />}
      <p className="muted" role="status">
        {found.length === 0 && say.noTemplateFound}
      </p>
      {purposes.map((purpose) => {
        const ofPurpose = found.filter((template) => template.purpose === purpose);
        if (ofPurpose.length === 0) return null;
        return (
          <section key={purpose} className={style.purpose} aria-labelledby={`templates-${purpose}`}>
            <h3 id={`templates-${purpose}`}>{say.templatePurposes[purpose]}</h3>
            <ul className={style.cards} aria-busy={isPending}>
              {ofPurpose.map((template) => (
                <li key={template.id}>
                  <AriaButton
                    className={style.card ?? ''}
                    isDisabled={isPending}
                    onPress={() => void choose(template).catch(() => undefined)}
                  >
                    <span className={style.name}>{texts[template.id].title}</span>
                    <span className={style.about}>{texts[template.id].about}</span>
                    <span className={style.count}>{say.fieldCount(countQuestions(template))}</span>
                  </AriaButton>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </Dialog>
  );
}

const textsIn = async (language: Language) => ({ language, words: await loadWords('templates', language) });

/** Makes a form of a template, in a folder of the active workspace. */
export function useMakeFromTemplate(folder: string | undefined) {
  const queryClient = useQueryClient();
  const language = useLanguage();
  const workspaceId = useSession().workspace?.id ?? '';
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: async (template: Template) => {
      const place = { workspace_id: workspaceId, ...(folder === undefined ? {} : { folder_id: folder }) };
      const [own, other] = await Promise.all([textsIn(language), textsIn(otherLanguage(language))]);
      const { id } = await importForm({ client, body: { document: documentOf(template, own, other), ...place } });
      return id;
    },
    onSettled: () => reloadLists(queryClient),
  });
  return { make: mutateAsync, isPending, error };
}
