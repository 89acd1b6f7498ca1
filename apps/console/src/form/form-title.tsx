import type { FormSettingsDetail } from '@sheaf/client';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState, type SubmitEvent, type KeyboardEvent, type Ref } from 'react';
import { problemSentence } from '../api/problem-sentence';
import { IconButton } from '../parts/button';
import { TextField } from '../parts/text-field';
import { useLanguage, useWords } from '../words/use-words';
import { mayEdit } from './form';
import style from './form-frame.module.css';
import { useSettingsDraft } from './settings-draft';

/** The title over the pages of a form. Those who may change it do so in its place. */
export function FormTitle({ form, headingRef }: { form: FormSettingsDetail; headingRef: Ref<HTMLHeadingElement> }) {
  const say = useWords('form');
  const [isTyping, setTyping] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasTyping = useRef(false);
  useEffect(() => {
    // The field is gone, and the focus with it, unless somebody went elsewhere.
    if (wasTyping.current && !isTyping && document.activeElement === document.body) pencil.current?.focus();
    wasTyping.current = isTyping;
  }, [isTyping]);
  if (isTyping) return <TitleField form={form} onEnd={() => setTyping(false)} />;
  return (
    <>
      <h1 dir="auto" ref={headingRef} tabIndex={-1}>
        {form.title}
      </h1>
      {mayEdit(form) && <IconButton ref={pencil} icon={Pencil} isSmall label={say.rename} onPress={() => setTyping(true)} />}
    </>
  );
}

/** Enter and leaving the field keep the title, Escape does not. A title that is refused stays in the field. */
function TitleField({ form, onEnd }: { form: FormSettingsDetail; onEnd: () => void }) {
  const say = useWords('form');
  const language = useLanguage();
  const draft = useSettingsDraft(form);
  const title = draft.value('title') ?? '';
  const keep = async () => {
    if (!draft.isDirty || title.trim() === '' || (await draft.save())) onEnd();
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void keep();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onEnd();
  };
  const fault = draft.error === undefined ? undefined : (draft.fault('title') ?? problemSentence(draft.error, language).title);
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown} className={style.typed}>
      <h1 className="visually-hidden">{form.title}</h1>
      <TextField
        label={say.title}
        isLabelHidden
        value={title}
        onChange={(text) => draft.set('title', text)}
        onFocus={({ target }) => target.select()}
        onBlur={() => void keep()}
        fault={fault}
        maxLength={200}
        autoFocus
      />
    </form>
  );
}
