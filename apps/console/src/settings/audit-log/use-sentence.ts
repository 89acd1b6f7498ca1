import type { AuditActor, AuditEntry } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../session/session';
import { useWords } from '../../words/use-words';
import { useFormTitles } from '../form-titles';
import { membersQuery } from '../workspace/queries';
import type { Facts } from './sentences';

/** Keeps a name that is written from right to left apart from the sentence around it. */
const isolated = (text: string) => `\u2068${text}\u2069`;

/** The name of whoever acted. The log keeps ids only, so names of erased people are gone. */
export function useActorName(): (actor: AuditActor) => string {
  const say = useWords('auditLog').page;
  return ({ kind, name, email }) => {
    if (name !== undefined && name !== '') return name;
    if (email !== undefined) return email;
    return { user: say.unknownPerson, service_account: say.program, service: say.process, anonymous: say.somebody }[kind];
  };
}

/** Says an entry in plain words, with the names that are known here. */
export function useSentence(): (entry: AuditEntry) => string {
  const say = useWords('auditLog').page;
  const texts = useWords('auditLog').sentences;
  const titles = useFormTitles();
  const nameOf = useActorName();
  const { data: members } = useQuery(membersQuery(useSession().workspace?.id ?? ''));
  const names = new Map(members?.data.map(({ user_id: id, name }) => [id, name]));
  return ({ action, actor, target, form_id: formId, details = {} }) => {
    const title = titles.get(formId ?? '');
    const facts: Facts = {
      who: isolated(nameOf(actor)),
      form: title === undefined ? say.aForm : isolated(say.quoted(title)),
      whom: isolated(names.get(details.assignee ?? target.id) ?? say.somebody),
      details,
    };
    // A newer server may record an action that this page does not know.
    const sentence = (texts as Partial<typeof texts>)[action];
    return sentence === undefined ? `${facts.who}: ${action}` : sentence(facts);
  };
}
