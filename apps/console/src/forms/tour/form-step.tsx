import { publishForm, type FormSettingsDetail } from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client';
import { Button, ButtonLink } from '../../parts/button';
import { Problem } from '../../parts/problem';
import { useWords } from '../../words/use-words';
import type { Ask } from '../form-menu';
import { reloadLists } from '../actions';
import { templates, type Template } from '../templates/templates';
import { useMakeFromTemplate } from '../templates-dialog';
import style from './tour.module.css';

interface FormStepProps {
  /** The form that the person made, which is not published yet. */
  form: FormSettingsDetail | undefined;
  ask: Ask;
  onMade: (form: string) => void;
}

export function FormStep({ form, ask, onMade }: FormStepProps) {
  const say = useWords('tour');
  const texts = useWords('templates');
  const { make, isPending, error } = useMakeAndPublish(onMade);
  const navigate = useNavigate();
  if (form) {
    return (
      <>
        <p>{say.publishIt(form.title)}</p>
        <ButtonLink look="primary" href={`/console/forms/${form.id}/build`}>
          {say.openBuild}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <p className="muted">{say.stepFormHelp}</p>
      <div className={style.buttons}>
        {templates.slice(0, 3).map((template, index) => (
          <Button key={template.id} look={index === 0 ? 'primary' : 'secondary'} isDisabled={isPending} onPress={() => make(template)}>
            {texts[template.id].title}
          </Button>
        ))}
      </div>
      <div className={style.buttons}>
        <span className="muted">{say.ownWay}</span>
        <Button look="quiet" isSmall onPress={() => void navigate({ to: '/console/forms/new', state: { isFirstForm: true } })}>
          {say.emptyForm}
        </Button>
        <Button look="quiet" isSmall onPress={() => ask({ kind: 'templates', folder: undefined, onMade })}>
          {say.allTemplates}
        </Button>
        <Button look="quiet" isSmall onPress={() => ask({ kind: 'import', folder: undefined, onMade })}>
          {say.importForm}
        </Button>
      </div>
      {error !== null && <Problem error={error} />}
    </>
  );
}

function useMakeAndPublish(onMade: (form: string) => void) {
  const queryClient = useQueryClient();
  const { make } = useMakeFromTemplate(undefined);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (template: Template) => {
      const id = await make(template);
      // Noted first: if publishing fails, the person goes on with this form instead of making another one.
      onMade(id);
      await publishForm({ client, path: { id } });
    },
    onSettled: () => Promise.all([reloadLists(queryClient), queryClient.invalidateQueries({ queryKey: ['form'] })]),
  });
  return { make: mutate, isPending, error };
}
