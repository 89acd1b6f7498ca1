import type { SignedIn } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import overlay from '../parts/overlay.module.css';
import { useWords } from '../words/use-words';
import { useSession } from './session';
import { SignInForm } from './sign-in-form';
import { noteSignedIn } from './signed-out';

/** Over any page whose session has ended: the page stays as it is, and goes on once the same person has signed in again. */
export function SignInAgain() {
  const say = useWords('everywhere').session;
  const queryClient = useQueryClient();
  const { user } = useSession();
  const onSignedIn = (session: SignedIn) => {
    // The content of this page belongs to the other person.
    if (session.user.id !== user.id) return location.reload();
    noteSignedIn();
    void queryClient.invalidateQueries();
  };
  return (
    <ModalOverlay isOpen isKeyboardDismissDisabled className={overlay.scrim ?? ''}>
      <Modal className={overlay.modal ?? ''}>
        <AriaDialog className={overlay.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {say.signInAgainTitle}
          </Heading>
          <p>{say.signInAgainHelp}</p>
          <SignInForm email={user.email} onSignedIn={onSignedIn} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
