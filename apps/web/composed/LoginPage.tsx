import { useCall } from '#kernel/web/calls.ts';
import { ProtectionReport } from '#modules/platform/accounts/web/ProtectionReport.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import SignInRules from '#modules/platform/settings/web/LoginPage.tsx';

/** The rules of signing in, and the report on the requirements of protected editions. */
export default function LoginPage() {
  const { isPending } = useCall(settings.login, {});
  return (
    <div className="kit-stack">
      <SignInRules />
      {/* Loaded after the rules, whose length varies, so that nothing moves. */}
      {!isPending && <ProtectionReport />}
    </div>
  );
}
