import type { MsgHdrs } from '@nats-io/transport-node';

/** An event as the headers of its message describe it, without its body. */
export interface Notice {
  type: string;
  /** Of an audit entry. */
  action?: string;
  instanceId: string;
  formId?: string;
  subject: string;
}

/** The parts of an event that a notice is made of. */
type Told = Notice & { body: string };

const header = 'sheaf-about';
const absent = '-';

/**
 * Adds to the headers what a reader without bodies cannot see: the events of a batch, and the action of an audit entry. None of these texts
 * has a space or semicolon.
 */
export function addNotices(headers: MsgHdrs, events: readonly Told[]): void {
  const [first] = events;
  if (events.length === 1 && first?.type !== 'audit.recorded') return;
  headers.set(
    header,
    events
      .map((event) => `${event.type} ${actionOf(event) ?? absent} ${event.instanceId} ${event.formId ?? absent} ${event.subject}`)
      .join(';'),
  );
}

const actionOf = ({ type, body }: Told): string | undefined =>
  type === 'audit.recorded' ? (JSON.parse(body) as { action?: string }).action : undefined;

/** The events of a message; undefined if its headers do not tell, as those of batches from earlier versions. */
export function noticesIn(headers: MsgHdrs | undefined): Notice[] | undefined {
  const about = headers?.get(header) ?? '';
  if (about !== '') return about.split(';').map((text) => noticeOf(text.split(' ')));
  const [type, ...others] = ['ce-type', 'ce-instanceid', 'ce-formid', 'ce-subject'].map((name) => {
    const value = headers?.get(name) ?? '';
    return value === '' ? absent : value;
  });
  return type === undefined || type === absent ? undefined : [noticeOf([type, absent, ...others])];
}

const noticeOf = ([type = '', action = absent, instanceId = '', formId = absent, subject = '']: readonly string[]): Notice => ({
  type,
  ...(action === absent ? {} : { action }),
  instanceId,
  ...(formId === absent ? {} : { formId }),
  subject,
});
