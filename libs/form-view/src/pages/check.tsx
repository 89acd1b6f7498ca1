import { Answers } from '../parts/answer';
import { Form, Notices } from '../parts/form';
import { Heading } from '../parts/heading';
import { useReading } from '../reading';
import type { CheckPage, Frame } from '../view';
import type { Words } from '../words/words';

/** If other answers were sent before, it counts first that these were not. */
export const checkTitle = ({ notice }: CheckPage, words: Words): string =>
  notice === 'sent_before' ? words.notSentTitle : words.checkYourAnswers;

export function Check({ page, frame, form }: { page: CheckPage; frame: Frame; form: NonNullable<Frame['form']> }) {
  const { words } = useReading();
  return (
    <>
      <Notices
        notice={page.notice}
        link={page.receipt === undefined ? undefined : { href: page.receipt, text: words.showReceipt }}
        isFocused
      />
      <Heading form={form} title={checkTitle(page, words)} />
      <Form
        page={page}
        next="send"
        hasBack
        isLeaving={form.settings.thank_you?.redirect_url !== undefined}
        proofAddress={frame.assets.proof}
      >
        <Answers answers={page.answers} />
      </Form>
    </>
  );
}
