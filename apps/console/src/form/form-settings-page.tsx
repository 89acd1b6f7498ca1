import { Page } from '../parts/page';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { BasicsSection } from './basics-section';
import { DangerSection } from './danger-section';
import { useForm, isOwner, mayEdit } from './form';
import { KeepingSection } from './keeping-section';
import { MoreSection } from './more-section';
import { RespondentsSection } from './respondents-section';
import style from './settings.module.css';
import { ThemeSection } from './theme-section';
import { AsksBeforeLeaving } from './unsaved';

/** All settings of a form but those of its link, which are under *Share*. */
export function FormSettingsPage() {
  const say = useWords('formSettings');
  const form = useForm();
  useTitle(say.settings, form.title);
  const isEditor = mayEdit(form);
  return (
    <AsksBeforeLeaving>
      <Page isNarrow>
        {form.status === 'trashed' && <p className={style.notice}>{say.trashedNotice}</p>}
        {form.status !== 'trashed' && !isEditor && <p className={style.notice}>{say.viewerNotice}</p>}
        <BasicsSection form={form} mayEdit={isEditor} />
        <ThemeSection form={form} mayEdit={isEditor} />
        <RespondentsSection form={form} mayEdit={isEditor} />
        <KeepingSection form={form} mayEdit={isEditor && isOwner(form)} maySearch={isEditor} />
        <MoreSection form={form} mayEdit={isEditor} mayMove={isEditor && isOwner(form)} />
        {isOwner(form) && <DangerSection form={form} />}
      </Page>
    </AsksBeforeLeaving>
  );
}
