import { Page } from '../parts/page';
import { useForm, isOwner, mayEdit } from '../form/form';
import { AsksBeforeLeaving } from '../form/unsaved';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { AvailabilitySection } from './availability-section';
import { EmbedSection } from './embed-section';
import { EndSection } from './end-section';
import { LinkSection } from './link-section';
import { OpenNow } from './open-now';
import { PeopleSection } from './people-section';

/** How respondents reach the form, when it is open, and which people work on it. */
export function SharePage() {
  const say = useWords('share');
  const form = useForm();
  useTitle(say.share, form.title);
  const isEditor = mayEdit(form);
  const isPublished = form.current_version > 0;
  return (
    <AsksBeforeLeaving>
      <Page isNarrow>
        <OpenNow form={form} mayEdit={isEditor} />
        {isPublished && <LinkSection form={form} mayEdit={isEditor} />}
        {isPublished && <EmbedSection form={form} mayEdit={isEditor} />}
        <AvailabilitySection form={form} mayEdit={isEditor} />
        <EndSection form={form} mayEdit={isEditor} />
        {form.role !== 'viewer' && <PeopleSection form={form} mayEdit={isEditor && isOwner(form)} />}
      </Page>
    </AsksBeforeLeaving>
  );
}
