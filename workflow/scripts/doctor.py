from pathlib import Path

from weft.doctor import examine, show

if __name__ == "__main__":
    print(show(examine(Path())), flush=True)
