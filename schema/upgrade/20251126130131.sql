-- Settings as JSON; NULL stands for the defaults.
ALTER TABLE "accounts" ADD COLUMN "settings" json;
