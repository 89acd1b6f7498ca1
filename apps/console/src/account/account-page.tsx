export const AccountPage = () => <p>AccountPage</p>;
