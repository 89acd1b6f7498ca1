import { Answers } from '../parts/answer';
import { Form, Notices } from '../parts/form';
import { Heading } from '../parts/heading';
import { useReading } from '../reading';
import type { CheckPage, Frame } from '../view';

export function Check({ page, frame, form }: { page: CheckPage; frame: Frame; form: NonNullable<Frame['form']> }) {
  const { words } = useReading();
  return (
    <>
      <Notices notice={page.notice} isFocused />
      <Heading form={form} title={words.checkYourAnswers} />
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
