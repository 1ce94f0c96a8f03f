"""What the queries of a page see of the database."""

import duckdb
import pytest
from weft.database.narrow import narrow
from weft.database.views import create_views

ROWS = {"tori": 1.0, "tori@quick": 2.0, "trees": 3.0}


@pytest.fixture
def database():
    with duckdb.connect() as con:
        keys = "experiment VARCHAR, point_id VARCHAR"
        con.execute(f"CREATE TABLE points ({keys}, engine VARCHAR, replicate INT, seed INT)")
        con.execute(f"CREATE TABLE parameters ({keys}, replicate INT)")
        con.execute(f"CREATE TABLE runs ({keys}, attempt INT, status VARCHAR)")
        con.execute(
            f"CREATE TABLE metrics ({keys}, metric VARCHAR, message_bytes INT, value DOUBLE,"
            " unit VARCHAR, flag VARCHAR)"
        )
        for name, value in ROWS.items():
            con.execute("INSERT INTO points VALUES (?, 'p', 'flow', 0, 1)", [name])
            con.execute("INSERT INTO parameters VALUES (?, 'p', 0)", [name])
            con.execute("INSERT INTO runs VALUES (?, 'p', 1, 'done')", [name])
            con.execute(
                "INSERT INTO metrics VALUES (?, 'p', 'm', NULL, ?, '1', NULL)", [name, value]
            )
        create_views(con, [])
        yield con


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("table", ["metrics", "answers"])
def test_a_page_sees_its_own_rows_alone_and_under_the_name_of_the_file(database, name, table):
    narrow(database, [name])
    found = database.execute(f"SELECT experiment, value FROM {table}").fetchall()
    assert found == [(name.partition("@")[0], ROWS[name])]
