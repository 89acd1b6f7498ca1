import { withOthers, type FormItem } from '@sheaf/contracts';
import { useDeferredValue, useMemo, useState } from 'react';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { draftOf, keyOf } from '../model/contents';
import { languagesOf } from './languages';
import style from './preview.module.css';
import { TriedForm } from './tried-form-later';

/** The page with what is being worked on, as people will see it. It follows what is typed when there is time for it. */
export function PageBeside() {
  const say = useWords('builder').tried;
  const { form, editor, state, selected } = useEditing();
  const present = useDeferredValue(state.history.present);
  const items = useMemo(() => withOthers(draftOf(present).fields), [present]);
  const entry = present.entries.find(({ id }) => id === selected);
  // A field of a repeat is within it.
  const worked = present.entries.find(({ id }) => id === (entry?.in ?? selected))?.item;
  const [language, setLanguage] = useState(languagesOf(form)[0] ?? 'en');
  const onTry = async () => {
    await editor.flush();
    return !editor.isUnsaved;
  };
  return (
    <section aria-label={say.title} className={style.beside}>
      <TriedForm
        form={form}
        items={items}
        payment={present.payment}
        onTry={onTry}
        language={language}
        isPhone={false}
        look="system"
        spot={worked && numberOf(items, worked)}
        onLanguage={setLanguage}
      />
    </section>
  );
}

/** The list has texts of *Other* that the builder has not, so that fields are found by their keys. */
function numberOf(items: readonly FormItem[], worked: FormItem): number | undefined {
  const key = keyOf(worked);
  const number = items.findIndex((item) => (key === undefined ? item === worked : keyOf(item) === key));
  return number === -1 ? undefined : number;
}
