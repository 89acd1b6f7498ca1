import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { Select } from '../../parts/fields';
import { Skeleton } from '../../parts/states';
import { themes } from '../../shell/theme';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { withOthers } from '@sheaf/contracts';
import { draftOf } from '../model/contents';
import { languagesOf } from './languages';
import style from './preview.module.css';
import { TriedForm } from './tried-form-later';
import { languageName } from '../../words/language-name';

/** The form as people will see it, to try without storing anything. */
export function Preview() {
  const say = useWords('builder').preview;
  const { form, editor, state } = useEditing();
  const { present } = state.history;
  const items = useMemo(() => withOthers(draftOf(present).fields), [present]);
  const onTry = async () => {
    await editor.flush();
    return !editor.isUnsaved;
  };
  const { language, width, look, set } = useChoices();
  const languages = languagesOf(form);
  return (
    <div className={style.preview}>
      <div className={style.choices}>
        {languages.length > 1 && (
          <Select
            label={say.language}
            value={language}
            options={languages.map((each) => ({ value: each, label: languageName(each) }))}
            onChange={(lang) => set({ lang })}
          />
        )}
        <Select
          label={say.width}
          value={width}
          options={(['desktop', 'phone'] as const).map((each) => ({ value: each, label: say[each] }))}
          onChange={(next) => set({ width: next })}
        />
        <Select
          label={say.look}
          value={look}
          options={themes.map((each) => ({ value: each, label: say[each] }))}
          onChange={(next) => set({ look: next })}
        />
      </div>
      <Suspense fallback={<Skeleton />}>
        <TriedForm
          form={form}
          items={items}
          payment={present.payment}
          onTry={onTry}
          language={language}
          isPhone={width === 'phone'}
          look={look}
          onLanguage={(lang) => set({ lang })}
        />
      </Suspense>
    </div>
  );
}

/** The part that is shown, and how: all of it is in the address. */
function useChoices() {
  const { form } = useEditing();
  const { lang, width, look } = useSearch({ from: '/shell/console/forms/$form/build' });
  const navigate = useNavigate({ from: '/console/forms/$form/build' });
  const languages = languagesOf(form);
  return {
    language: languages.find((each) => each === lang) ?? languages[0] ?? 'en',
    width: width === 'phone' ? ('phone' as const) : ('desktop' as const),
    look: themes.find((theme) => theme === look) ?? 'system',
    set: (chosen: { lang?: string; width?: string; look?: string }) =>
      void navigate({ search: (search) => ({ ...search, ...chosen }), replace: true, resetScroll: false }),
  };
}
