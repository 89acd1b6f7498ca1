import { fieldsOf, labelTextOf } from '@sheaf/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { mayEdit, useForm } from '../form/form';
import { versionQuery } from '../form/form-version';
import { Page } from '../parts/page';
import { useTitle } from '../shell/use-title';
import { useWords } from '../words/use-words';
import { Deliveries, type DeliverySearch } from './deliveries';
import { ofForm } from './webhook-place';
import { WebhooksOf } from './webhooks-of';

/** The webhooks of a form, and the log of what was sent. */
export function WebhooksPage() {
  const say = useWords('webhooks');
  const form = useForm();
  useTitle(say.title, form.title);
  const search: DeliverySearch = useSearch({ from: '/shell/console/forms/$form/webhooks' });
  const navigate = useNavigate({ from: '/console/forms/$form/webhooks' });
  const isReadOnly = !mayEdit(form);
  const { data: version } = useQuery({ ...versionQuery(form), enabled: form.current_version > 0 && !isReadOnly });
  const fields = version && fieldsOf(version.fields).map((field) => ({ ...field, label: labelTextOf(field) }));
  return (
    <Page>
      <WebhooksOf place={ofForm(form.id, fields)} isReadOnly={isReadOnly} />
      <Deliveries
        formId={form.id}
        search={search}
        onSearch={(change, how) => void navigate({ search: { ...change } as Record<string, string | undefined>, ...how })}
        isReadOnly={isReadOnly}
      />
    </Page>
  );
}
