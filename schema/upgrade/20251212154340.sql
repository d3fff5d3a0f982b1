-- At most one account.
ALTER TABLE "accounts" ADD COLUMN "singleton_guard" integer DEFAULT 0 NOT NULL;
CREATE UNIQUE INDEX "index_accounts_on_singleton_guard" ON "accounts" ("singleton_guard");
