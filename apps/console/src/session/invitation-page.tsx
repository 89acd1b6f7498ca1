export const InvitationPage = () => <p>InvitationPage</p>;
