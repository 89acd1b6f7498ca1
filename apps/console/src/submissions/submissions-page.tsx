export const SubmissionsPage = () => <p>SubmissionsPage</p>;
